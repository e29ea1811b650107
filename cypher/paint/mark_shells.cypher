// name: mark_shells
// mode: write
// doc: Label the classes of an hCorrectSet by their hops: Shell1 to Shell4, Shell5 from five on.
// param: rows LIST<MAP> the rows: {wnid, hops} for each of its classes but the one that it is of
// ref: Frome et al. 2013, DeViSE, appendix A.3
// try: :param {rows: [{wnid: 'n02083346', hops: 1}]}
UNWIND $rows AS row
MATCH (s:Synset {wnid: row.wnid})
FOREACH (_ IN CASE WHEN row.hops = 1 THEN [1] END | SET s:Shell1)
FOREACH (_ IN CASE WHEN row.hops = 2 THEN [1] END | SET s:Shell2)
FOREACH (_ IN CASE WHEN row.hops = 3 THEN [1] END | SET s:Shell3)
FOREACH (_ IN CASE WHEN row.hops = 4 THEN [1] END | SET s:Shell4)
FOREACH (_ IN CASE WHEN row.hops >= 5 THEN [1] END | SET s:Shell5)
