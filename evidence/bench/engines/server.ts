// The backend of the engine benchmark on the engine that the first argument names, in a separate process.
import { startBackend } from '../../../backend/index.ts'

const engine = process.argv[2] === 'postgres' ? 'postgres' : 'pglite'
const backend = await startBackend({ data: 'memory', engine })
const { url, publishableKey, accounts } = backend
process.send?.({ url, publishableKey, account: accounts[0] })
process.on('disconnect', () => void backend.stop().then(() => process.exit()))
