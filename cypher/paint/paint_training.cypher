// name: paint_training
// mode: write
// doc: Label the training classes Training.
// param: name CLASS_SET the training classes
// try: :param {name: 'ilsvrc2012'}
MATCH (:ClassSet {name: $name})<-[:IN_SET]-(c)
SET c:Training
