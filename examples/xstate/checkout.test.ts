// Tests of the checkout: with its effects, whose trace is kept if a test fails, and with the test in their place.
import { createStage, test } from 'chartroom/vitest'
import { expect } from 'vitest'
import { waitFor } from 'xstate'
import { checkout } from './checkout.ts'

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
