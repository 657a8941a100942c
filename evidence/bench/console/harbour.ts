// The product of the console benchmarks, in a separate process so that it takes no time from the measuring one.
import { startHarbour } from '../../../scripts/harbour.ts'

const { url, publishableKey, accounts } = await startHarbour({ port: 0, data: 'memory' })
process.send?.({ url, publishableKey, account: accounts[0] })
process.on('disconnect', () => process.exit())
