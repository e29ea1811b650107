// name: delete_relations
// mode: write
// doc: Remove the edges of WordNet's pointers that are no part of a hierarchy.
MATCH (:Synset)-[edge:MEMBER_MERONYM|PART_MERONYM|SUBSTANCE_MERONYM|ANTONYM|TOPIC|REGION]->(:Synset)
DELETE edge
