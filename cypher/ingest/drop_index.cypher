// name: drop_index
// mode: schema
// doc: Remove an index.
// param: index STRING the index
// try: :param {index: 'unique_class_set'}
DROP INDEX $index IF EXISTS
