// name: population_distribution
// mode: read
// doc: How many classes of a set have how many images.
// grain: one row per range of populations
// param: class_set CLASS_SET the class set
// returns: population STRING, classes INTEGER, images INTEGER
// ref: Hascoet et al. 2019, section 4.3.1 (6.1 % below 10, 21.1 % below 100, 63 % above 300)
// try: :param {class_set: 'imagenet-fall11'}
MATCH (:ClassSet {name: $class_set})<-[:IN_SET]-(c:Synset)
// Hascoet et al. 2019 say how many have fewer than 10 and 100 images, and keep those
// with more than 300
WITH c.population AS images,
     CASE
       WHEN c.population IS NULL THEN 7
       WHEN c.population = 0 THEN 0
       WHEN c.population < 10 THEN 1
       WHEN c.population < 100 THEN 2
       WHEN c.population <= 300 THEN 3
       WHEN c.population < 500 THEN 4
       WHEN c.population < 1000 THEN 5
       ELSE 6
     END AS place
WITH place, count(*) AS classes, sum(images) AS images
RETURN ['0', '1 to 9', '10 to 99', '100 to 300', '301 to 499', '500 to 999', '1000 and more',
        'unknown'][place] AS population, classes, images
ORDER BY place
