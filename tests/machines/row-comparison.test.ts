// A comparison of rows: automatic retries of temporary failures, excluded accounts, and re-checks that fail.
import { createActor, fromCallback, type EventObject } from 'xstate'
import { expect, test } from 'vitest'
import type { Failure } from '../../src/machines/index.ts'
import {
  rowComparisonMachine,
  type AccountPage,
  type PagesEvent,
  type RecheckEvent,
  type RecheckInput,
  type WantedPage,
} from '../../src/machines/workbench/row-comparison.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'

const passing: Failure = { kind: 'network', message: 'No answer.' }
const forbidden: Failure = { kind: 'forbidden', status: 403, message: 'Permission denied.' }

const start = (
  page: (wanted: WantedPage, round: number) => AccountPage,
  recheck: (input: RecheckInput, n: number) => RecheckEvent = () => ({
    type: 'differences.checked',
    rows: 0,
    left: 0,
  }),
) => {
  const rounds: (readonly WantedPage[])[] = []
  const checks: RecheckInput[] = []
  const readPages = fromCallback<EventObject, { readonly wanted: readonly WantedPage[] }, PagesEvent>(
    ({ input: { wanted }, sendBack }) => {
      rounds.push(wanted)
      sendBack({ type: 'pages.read', pages: wanted.map(each => page(each, rounds.length)) })
    },
  )
  const recheckDifferences = fromCallback<EventObject, RecheckInput, RecheckEvent>(({ input, sendBack }) => {
    checks.push(input)
    sendBack(recheck(input, checks.length))
  })
  const clock = createVirtualClock()
  const machine = rowComparisonMachine.provide({ actors: { readPages, recheckDifferences } })
  const actor = createActor(machine, { clock, input: { accounts: 2, seed: 1 } })
  actor.start()
  const facts = () => {
    const { value, context } = actor.getSnapshot()
    return [value, ...context.scans.map(({ phase, read }) => `${phase} ${read}`)]
  }
  return { actor, clock, rounds, checks, facts }
}

const last = (account: number): AccountPage => ({ account, rows: 5, isLast: true })

test('a page with a temporary failure is read again after a pause, from the same row', () => {
  const run = start(({ account, from }, round) => {
    if (account === 1 && round === 2) return { account, failure: passing }
    return { account, rows: 5, isLast: from > 0 }
  })
  expect(run.facts()).toEqual(['backingOff', 'read 10', 'reading 5'])
  run.clock.advance(1_000)
  expect(run.facts()).toEqual(['done', 'read 10', 'read 10'])
  expect(run.rounds.at(-1)).toEqual([{ account: 1, from: 5, attempt: 1 }])
})

test('an account that keeps failing is excluded, and the others finish', () => {
  const run = start(({ account }) => (account === 1 ? { account, failure: passing } : last(account)))
  run.clock.advance(60_000)
  expect(run.facts()).toEqual(['partial', 'read 5', 'failed 0'])
  expect(run.rounds.map(round => round.length)).toEqual([2, 1, 1, 1])
  // Only the account that was read is compared.
  expect(run.checks).toEqual([{ isFirst: true, isRead: [true, false] }])
})

test('Retry reads a rejected account at once, and checks the differences from the start', () => {
  const run = start(({ account }, round) =>
    account === 1 && round === 1 ? { account, failure: forbidden } : last(account),
  )
  expect(run.facts()).toEqual(['partial', 'read 5', 'failed 0'])
  run.actor.send({ type: 'comparison.retry' })
  expect(run.facts()).toEqual(['done', 'read 5', 'read 5'])
  expect(run.checks).toEqual([
    { isFirst: true, isRead: [true, false] },
    { isFirst: true, isRead: [true, true] },
  ])
})

test('a failed re-check is retried from where it was, and is never done if it can’t finish', () => {
  const failing = start(
    ({ account }) => last(account),
    (_, n) =>
      n === 1
        ? { type: 'differences.checked', rows: 2, left: 3 }
        : { type: 'differences.failed', failure: passing },
  )
  failing.clock.advance(60_000)
  expect(failing.facts()[0]).toBe('unconfirmed')
  expect(failing.checks.map(({ isFirst }) => isFirst)).toEqual([true, false, false, false, false])
  const passingOnce = start(
    ({ account }) => last(account),
    (_, n) =>
      n === 1
        ? { type: 'differences.failed', failure: passing }
        : { type: 'differences.checked', rows: 5, left: 0 },
  )
  passingOnce.clock.advance(1_000)
  expect(passingOnce.facts()[0]).toBe('done')
})

test('Cancel ends it in every phase', () => {
  const waiting = start(({ account }) => ({ account, failure: passing }))
  expect(waiting.facts()[0]).toBe('backingOff')
  waiting.actor.send({ type: 'comparison.cancel' })
  waiting.clock.advance(60_000)
  expect([waiting.facts()[0], waiting.rounds.length]).toEqual(['canceled', 1])
})
