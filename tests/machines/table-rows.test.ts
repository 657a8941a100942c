// The rows of an open table: which pages are read when, what a response is worth after changes, when rows are counted,
// and why they are read again.
import { createActor, type EventObject, fromCallback } from 'xstate'
import { describe, expect, test } from 'vitest'
import {
  type CountEvent,
  type PageEvent,
  pageReadMachine,
  type ReloadReason,
  type TableRowsEmitted,
  type TableRowsEvent,
  tableRowsMachine,
} from '../../src/machines/workbench/table-rows.ts'
import { createVirtualClock } from '../../src/testing/virtual-clock.ts'

type Answer = Extract<PageEvent | CountEvent, { type: 'page.received' | 'page.refused' | `rows.${string}` }>

interface Sent {
  /** Undefined: a count. */
  readonly page: number | undefined
  isAborted: boolean
  readonly answer: (answer: Answer) => void
}

const received: Answer = { type: 'page.received', isNew: false, request: 'r1' }
const first: Answer = { ...received, isNew: true }
const refused: Answer = { type: 'page.refused', retry: true, request: 'r1' }
const counted: Answer = { type: 'rows.counted', count: 150 }

/** The machine with ports that the test answers. */
function start() {
  const sent: Sent[] = []
  const emitted: TableRowsEmitted[] = []
  const request = (page: number | undefined, send: (answer: Answer) => void) => {
    const one: Sent = { page, isAborted: false, answer: send }
    sent.push(one)
    return () => void (one.isAborted = true)
  }
  const readPage = fromCallback<EventObject, { readonly page: number }, PageEvent>(({ input, sendBack }) =>
    request(input.page, answer => sendBack(answer as PageEvent)),
  )
  const countRows = fromCallback<EventObject, unknown, CountEvent>(({ sendBack }) =>
    request(undefined, answer => sendBack(answer as CountEvent)),
  )
  const pageRead = pageReadMachine.provide({ actors: { readPage } })
  const clock = createVirtualClock()
  const actor = createActor(tableRowsMachine.provide({ actors: { pageRead, countRows } }), { clock })
  actor.on('*', event => void emitted.push(event))
  actor.start()
  const send = (...events: readonly TableRowsEvent[]) => events.forEach(event => actor.send(event))
  return {
    actor,
    clock,
    sent,
    emitted,
    send,
    /** The view lacks these pages. */
    lack: (...missing: readonly number[]) => send({ type: 'view.changed', missing, isEstimate: false }),
    estimate: (isEstimate = true) => send({ type: 'view.changed', missing: [], isEstimate }),
    pages: () => sent.flatMap(({ page }) => page ?? []),
    counts: () => sent.filter(({ page }) => page === undefined),
    last: () => sent.at(-1),
    at: (region: 'reading' | 'total' | 'changes' | 'channel') => actor.getSnapshot().value[region],
    reason: () => actor.getSnapshot().context.reason,
    types: () => emitted.map(({ type }) => type),
  }
}

const change = { type: 'row.changed' } as const
const applied = { type: 'changes.applied', batch: 1, others: 1, isUnclear: false } as const
const user: TableRowsEvent = { type: 'rows.reload', reason: { kind: 'user' } }

describe('pages', () => {
  test('the first one is read at once, distant ones after scrolling has stopped', () => {
    const { lack, clock, pages, at } = start()
    lack(0)
    expect(pages()).toEqual([0])
    lack(4)
    clock.advance(39)
    lack(9)
    clock.advance(39)
    expect([at('reading'), pages()]).toEqual(['settling', [0]])
    clock.advance(1)
    expect([at('reading'), pages()]).toEqual(['reading', [0, 9]])
  })

  test('three are read at once; the next one follows without a pause', () => {
    const { lack, sent, pages, at, emitted } = start()
    lack(0, 1, 2, 3)
    expect(pages()).toEqual([0, 1, 2])
    sent[1]?.answer(first)
    expect(pages()).toEqual([0, 1, 2, 3])
    lack(0, 2, 3)
    for (const one of sent) if (one.page !== 1) one.answer(first)
    expect([at('reading'), pages()]).toEqual(['idle', [0, 1, 2, 3]])
    expect(emitted).toEqual([1, 0, 2, 3].map(page => ({ type: 'page.read', page, isOutdated: false })))
  })

  test('those that are no longer wanted are aborted, the others continue', () => {
    const { lack, clock, sent, at } = start()
    lack(0, 1, 2)
    lack(2, 9)
    clock.advance(40)
    const shown = () => sent.map(({ page, isAborted }) => [page, isAborted])
    expect(shown()).toEqual([
      [0, true],
      [1, true],
      [2, false],
      [9, false],
    ])
    lack()
    expect([at('reading'), shown().every(([, isAborted]) => isAborted)]).toEqual(['idle', true])
  })

  test('a failure ends all reads; nothing is read before the next reload', () => {
    const { lack, sent, send, at, emitted, clock } = start()
    lack(0, 1)
    sent[0]?.answer(refused)
    lack()
    lack(0, 1)
    clock.advance(60_000)
    expect([at('reading'), sent.map(({ isAborted }) => isAborted)]).toEqual(['failed', [true, true]])
    expect(emitted).toEqual([{ type: 'page.failed', page: 0 }])
    send(user)
    lack(0)
    expect([at('reading'), sent.length]).toEqual(['reading', 3])
  })
})

describe('a response', () => {
  test('after changes by others is shown, and the page read again', () => {
    const { lack, sent, send, emitted, pages, at } = start()
    lack(0)
    send(applied)
    sent[0]?.answer(received)
    expect(emitted).toEqual([{ type: 'page.read', page: 0, isOutdated: true }])
    expect(pages()).toEqual([0, 0])
    sent[1]?.answer(received)
    expect([at('reading'), emitted.at(-1)]).toEqual([
      'idle',
      { type: 'page.read', page: 0, isOutdated: false },
    ])
  })

  test('after an own write is not shown over it', () => {
    const { lack, sent, send, emitted, pages } = start()
    lack(0)
    send(applied, { type: 'rows.written', write: 1 })
    sent[0]?.answer(received)
    expect([emitted, pages()]).toEqual([[], [0, 0]])
    sent[1]?.answer(received)
    expect(emitted).toEqual([{ type: 'page.read', page: 0, isOutdated: false }])
  })

  test('after an own write is shown if nothing else is', () => {
    const { lack, sent, send, emitted, pages } = start()
    lack(0)
    send({ type: 'rows.written', write: 1 })
    sent[0]?.answer(first)
    expect(emitted).toEqual([{ type: 'page.read', page: 0, isOutdated: true }])
    expect(pages()).toEqual([0, 0])
  })
})

describe('live changes', () => {
  test('are gathered; their marks fade', () => {
    const { send, clock, emitted, at } = start()
    send(change)
    clock.advance(119)
    send(change)
    expect([at('changes'), emitted]).toEqual(['gathering', []])
    clock.advance(1)
    expect(emitted).toEqual([{ type: 'changes.gathered', batch: 1 }])
    send(applied)
    clock.advance(19_999)
    expect(emitted).toHaveLength(1)
    clock.advance(1)
    expect([emitted.at(-1), clock.pending()]).toEqual([{ type: 'marks.over', batch: 1 }, 0])
  })

  test('of a row that the user wrote are echoes for a while', () => {
    const { send, clock, emitted } = start()
    send({ type: 'rows.written', write: 1 })
    clock.advance(2_000)
    send({ type: 'rows.written', write: 2 })
    clock.advance(3_000)
    expect(emitted).toEqual([{ type: 'echo.over', write: 1 }])
    clock.advance(2_000)
    expect([emitted.at(-1), clock.pending()]).toEqual([{ type: 'echo.over', write: 2 }, 0])
  })
})

describe('the number of rows', () => {
  /** It was counted a moment ago. */
  const countedOnce = () => {
    const run = start()
    run.estimate()
    run.last()?.answer(counted)
    run.estimate(false)
    return run
  }

  test('is counted while it is an estimate; a failed count is repeated by a reload', () => {
    const { estimate, send, counts, last, at, clock } = start()
    estimate()
    last()?.answer({ type: 'rows.uncounted' })
    estimate()
    send(applied)
    clock.advance(60_000)
    expect([at('total'), counts().length]).toEqual(['estimated', 1])
    send(user)
    estimate()
    last()?.answer(counted)
    expect([at('total'), counts().length]).toEqual(['doubtful', 2])
  })

  test('is no longer counted once the last page shows it', () => {
    const { estimate, last, at } = start()
    estimate()
    estimate(false)
    expect([last()?.isAborted, at('total')]).toEqual([true, 'doubtful'])
  })

  test('is doubted if changes follow a response', () => {
    const { send, clock, types, estimate, counts } = countedOnce()
    clock.advance(1_999)
    send(applied)
    clock.advance(399)
    send(applied)
    expect(types()).toEqual([])
    clock.advance(1)
    expect(types()).toEqual(['total.doubted'])
    estimate()
    expect(counts()).toHaveLength(2)
  })

  test('is exact after changes that no response can have had', () => {
    const { send, clock, types } = countedOnce()
    clock.advance(2_000)
    send(applied)
    clock.advance(10_000)
    expect(types()).toEqual([])
    // Their keys were not exact.
    send({ ...applied, isUnclear: true })
    clock.advance(400)
    expect(types()).toEqual(['total.doubted'])
  })

  test('is doubted after changes during the count', () => {
    const { send, clock, types, estimate, last, counts } = start()
    estimate()
    clock.advance(10_000)
    send(applied)
    clock.advance(10_000)
    last()?.answer(counted)
    expect([counts().length, types()]).toEqual([1, []])
    clock.advance(400)
    expect(types()).toEqual(['total.doubted'])
  })
})

describe('the reason of a reload is', () => {
  const failed = (run: ReturnType<typeof start>) => {
    run.lack(0)
    run.last()?.answer(refused)
  }

  test.each<[what: string, run: (run: ReturnType<typeof start>) => void, reason: ReloadReason]>([
    ['the opened query', () => undefined, { kind: 'query' }],
    ...(['query', 'user', 'written', 'deletion', 'import', 'conflict', 'retry'] as const).map(
      kind =>
        [
          `as reported: ${kind}`,
          (run: ReturnType<typeof start>) => {
            failed(run)
            run.send({ type: 'rows.reload', reason: { kind } })
          },
          { kind },
        ] as [string, (run: ReturnType<typeof start>) => void, ReloadReason],
    ),
    ['changes', ({ send }) => send({ ...applied, others: 42 }), { kind: 'changes', count: 42 }],
    ['echoes', ({ send }) => send({ ...applied, others: 0 }), { kind: 'written' }],
    ['the joined channel', ({ send }) => send({ type: 'channel.live' }), { kind: 'live' }],
    [
      'a gap',
      ({ send }) => send({ type: 'channel.live' }, { type: 'channel.lost' }, { type: 'channel.live' }),
      { kind: 'gap' },
    ],
    [
      'the backend that recovered',
      run => {
        failed(run)
        run.send({ type: 'backend.recovered' })
      },
      { kind: 'recovered' },
    ],
  ])('%s', (_what, act, reason) => {
    const run = start()
    act(run)
    expect(run.reason()).toEqual(reason)
  })
})

describe('rows are read again', () => {
  test('when the channel is live, once for each gap', () => {
    const { send, types, at } = start()
    const status = (type: 'channel.live' | 'channel.lost') => send({ type })
    for (const type of ['channel.lost', 'channel.live', 'channel.live'] as const) status(type)
    expect([at('channel'), types()]).toEqual(['live', ['reload.started']])
    for (const type of ['channel.lost', 'channel.lost', 'channel.live'] as const) status(type)
    expect([at('channel'), types()]).toEqual(['live', ['reload.started', 'reload.started']])
  })

  test('when the backend recovers, unless all are there', () => {
    const { send, lack, types, last } = start()
    send({ type: 'backend.recovered' })
    expect(types()).toEqual([])
    lack(0)
    const slow = last()
    send({ type: 'backend.recovered' })
    expect([types(), slow?.isAborted]).toEqual([['reload.started'], true])
    lack(5)
    send({ type: 'backend.recovered' })
    expect(types()).toEqual(['reload.started', 'reload.started'])
  })

  test('from the start: another query ends reads and the count, and waits for nothing', () => {
    const { send, lack, estimate, sent, clock } = start()
    lack(0, 1)
    estimate()
    lack(7)
    send({ type: 'rows.reload', reason: { kind: 'query' } })
    expect(sent.every(({ isAborted }) => isAborted)).toBe(true)
    expect(clock.pending()).toBe(0)
  })
})
