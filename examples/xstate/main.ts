// Runs the checkout once and writes what happened to a trace file.
import { writeFile } from 'node:fs/promises'
import { record } from '@chartroom/devtools/recording'
import { waitFor } from 'xstate'
import { checkout } from './checkout.ts'

// Like createActor(checkout), and records the actor.
const recording = record(checkout)
const { actor } = recording
actor.start()

actor.send({ type: 'add', price: 30 })
actor.send({ type: 'add', price: 12 })
actor.send({ type: 'pay' })
await waitFor(actor, snapshot => snapshot.matches('refused'))
actor.send({ type: 'retry' })
const { context } = await waitFor(actor, snapshot => snapshot.matches('paid'))

await writeFile('checkout.trace.gz', await recording.file())
console.log(`paid: ${context.receipt}; recorded: checkout.trace.gz`)
