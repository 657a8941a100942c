// `npm run tour`: serves the example of docs/guide/tour.md with the console below it, until Ctrl-C.
import { parseArgs } from 'node:util'
import { nextStopSignal } from '../backend/shared/stop-signal.ts'
import { startTour } from './tour-server.ts'

const USAGE = `Usage: npm run tour [-- --port N]

Serves examples/tour on 127.0.0.1, on the first free port from 4420 (or N) up. The page guides through the
steps of docs/guide/tour.md.`

const port = wantedPort()
if (port === undefined) {
  console.error(USAGE)
  process.exitCode = 2
} else {
  const server = await startTour({ port })
  console.log(`\n  Address   ${server.url}\n  Tour      docs/guide/tour.md\n  Stop      Ctrl-C\n`)
  await nextStopSignal()
  await server.stop()
}

function wantedPort(): number | undefined {
  try {
    const { values } = parseArgs({ options: { port: { type: 'string', default: '4420' } } })
    const wanted = Number(values.port)
    return Number.isInteger(wanted) && wanted >= 0 && wanted < 65_536 ? wanted : undefined
  } catch {
    return undefined
  }
}
