// The backend of the overhead benchmarks, in a separate process so that it takes no time from the clients.
import { startBackend } from '../../../backend/index.ts'

// Above the default limit per minute, messages would be dropped and their echoes awaited forever.
const { url, publishableKey, accounts } = await startBackend({
  data: 'memory',
  realtime: { maxEventsPerSecond: 1_000_000 },
})
process.send?.({ url, publishableKey, account: accounts[0] })
process.on('disconnect', () => process.exit())
