// name: drop_index
// mode: schema
// doc: Remove an index.
// param: name STRING the index
// try: :param {name: 'unique_class_set'}
DROP INDEX $name IF EXISTS
