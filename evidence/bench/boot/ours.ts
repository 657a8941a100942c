// One start of the backend in a separate process; prints the milliseconds from the first import until it is
// ready.
const started = performance.now()
const { startBackend } = await import('../../../backend/index.ts')
const [dir = ''] = process.argv.slice(2)
const backend = await startBackend({ data: { dir } })
console.log(performance.now() - started)
await backend.stop()
