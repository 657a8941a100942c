// Tests of the checkout: of its specification, with its effects, whose trace is kept if a test fails, and with the
// test in their place.
import { machinePage, randomRuns } from '@chartroom/devtools/testing'
import { createStage, test } from '@chartroom/devtools/vitest'
import { describe, expect } from 'vitest'
import { waitFor } from 'xstate'
import { checkoutSpec } from './checkout-spec.ts'
import { checkout } from './checkout.ts'

describe('the specification', () => {
  test('each state handles each event, or ignores it for a reason', () => {
    expect(checkoutSpec).toHandleEveryEvent()
  })

  test('every state can be reached, and an end from each', () => {
    expect(checkoutSpec).toReachEveryState()
  })

  test('in random runs, each order is paid or expires', async () => {
    await expect(checkoutSpec).toPassRandomRuns()
  })

  test('random runs detect an order that does not expire', async () => {
    const result = await randomRuns(checkoutSpec, {
      seed: 1,
      change: machine => machine.provide({ delays: { patience: 86_400_000 } }),
    })
    expect(result).toMatchObject({ outcome: 'failed', findings: ['calm left it in "refused"'] })
  })

  test('the page describes the port and the ignored events', () => {
    const page = machinePage(checkoutSpec)
    expect(page).toContain('| `charge` | Charges the card. |')
    expect(page).toContain('| `retry` | `shopping`, `paying`, `expired` | No payment was refused. |')
  })
})

test('a refused card can be tried again', async ({ record }) => {
  const recording = record(checkout)
  const { actor } = recording
  actor.start()
  actor.send({ type: 'add', price: 42 })
  actor.send({ type: 'pay' })
  await waitFor(actor, snapshot => snapshot.matches('refused'))
  actor.send({ type: 'retry' })
  await waitFor(actor, snapshot => snapshot.matches('paid'))

  expect(actor.getSnapshot().context.receipt).toBe('receipt over 42')
  await expect(recording).toReach('checkout', 'refused')
  await expect(recording).toReplay(checkout)
})

test('an order that is not paid within a minute expires', () => {
  const stage = createStage(checkout)
  stage.start()
  stage.send({ type: 'add', price: 42 })
  stage.send({ type: 'pay' })
  expect(stage.state()).toBe('paying')

  stage.answer('checkout/charge', { rejects: 'refused' })
  expect(stage.state()).toBe('refused')

  stage.advance(60_000)
  expect(stage.state()).toBe('expired')
})
