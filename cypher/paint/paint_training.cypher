// name: paint_training
// mode: write
// doc: Label the training classes Training.
// param: train CLASS_SET the training classes
// try: :param {train: 'ilsvrc2012'}
MATCH (:ClassSet {name: $train})<-[:IN_SET]-(c)
SET c:Training
