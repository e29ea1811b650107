// name: set_populations
// mode: write
// doc: Number of ImageNet images of each synset.
// param: rows LIST<MAP> the rows: wnid, images
// try: :param {rows: [{wnid: 'n02084071', images: 1603}]}
UNWIND $rows AS row
MATCH (s:Synset {wnid: row.wnid})
SET s.population = row.images
