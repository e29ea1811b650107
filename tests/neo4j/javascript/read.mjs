// Runs statements as a program of JavaScript would: parameters as they stand in JSON, so that every
// number is a float, in READ mode. One line of JSON in for each statement: name, text, parameters;
// one out: name, its rows, and the notifications of the server.
import { createInterface } from 'node:readline'
import neo4j from 'neo4j-driver'

const [address, database] = process.argv.slice(2)
const login = neo4j.auth.basic('neo4j', process.env.NEO4J_PASSWORD)
const driver = neo4j.driver(address, login, { disableLosslessIntegers: true })

// a path as the command line writes it: the texts of its nodes
const text = ({ properties: { wnid, name, text } }) =>
  [...new Set([wnid, name, text])].filter(each => each !== undefined).join(' ')

function plain (value) {
  if (neo4j.isPath(value)) return [value.start, ...value.segments.map(each => each.end)].map(text)
  if (Array.isArray(value)) return value.map(plain)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, plain(each)]))
}

for await (const line of createInterface({ input: process.stdin })) {
  const { name, text, parameters } = JSON.parse(line)
  const session = driver.session({ database, defaultAccessMode: neo4j.session.READ })
  const { records, summary } = await session.run(text, parameters)
  await session.close()
  const rows = records.map(record => plain(record.toObject()))
  const told = summary.gqlStatusObjects.filter(each => !/^0[02]/.test(each.gqlStatus))
  const notifications = told.map(each => `${each.gqlStatus} ${each.statusDescription}`)
  console.log(JSON.stringify({ name, rows, notifications }))
}
await driver.close()
