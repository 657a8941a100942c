// The backend of the overhead benchmarks, in a process of its own so that it takes no time from the clients.
import { startBackend } from '../../backend/index.ts'

// More messages than the limit allows in a minute would be dropped, and their echoes awaited for ever.
const { url, publishableKey, accounts } = await startBackend({
  data: 'memory',
  realtime: { maxEventsPerSecond: 1_000_000 },
})
process.send?.({ url, publishableKey, account: accounts[0] })
process.on('disconnect', () => process.exit())
