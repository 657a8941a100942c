// The backend of the overhead benchmarks, in a process of its own so that it takes no time from the clients.
import { startBackend } from '../../backend/index.ts'

const { url, publishableKey, accounts } = await startBackend({ data: 'memory' })
process.send?.({ url, publishableKey, account: accounts[0] })
process.on('disconnect', () => process.exit())
