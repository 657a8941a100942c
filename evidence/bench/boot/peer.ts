// The same measurement for PGlite alone, with its own folder, until it answers.
const started = performance.now()
const { PGlite } = await import('@electric-sql/pglite')
const [dir = ''] = process.argv.slice(2)
const database = await PGlite.create({ dataDir: `${dir}/database` })
await database.query('select 1')
console.log(performance.now() - started)
await database.close()
