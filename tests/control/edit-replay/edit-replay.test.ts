// Edit and replay without a page: verdicts of edited modules, and the state after an edit was applied.
import { assign, createActor, fromCallback, fromPromise, sendTo, setup, type AnyActorRef } from 'xstate'
import { expect, test } from 'vitest'
import { attachWith, trackDerivedMachines } from '../../../src/services/control/index.ts'
import {
  applyEdit,
  captured,
  driveSystems,
  type EditedSystem,
  type Exports,
  prepareEdit,
} from '../../../src/services/control/edit-replay/edit-replay.ts'
import { atTestEnd } from '../../harness/endings.ts'
import { partsOf } from '../../../src/services/recording/index.ts'

trackDerivedMachines()

/** What the variants of the module may have differently. */
interface Variant {
  readonly step?: number
  readonly limit?: number
  readonly target?: string
  readonly helper?: boolean
}

const started: string[] = []

/** A version of the module, as an evaluation of it exports it. */
function version({ step = 1, limit = 3, target = 'full', helper = false }: Variant = {}) {
  const child = setup({
    types: { context: {} as { pings: number }, events: {} as { type: 'ping' } },
  }).createMachine({
    id: 'child',
    context: { pings: 0 },
    on: { ping: { actions: assign({ pings: ({ context }) => context.pings + step }) } },
  })
  const counter = setup({
    types: {
      context: {} as { count: number; token: string; child: AnyActorRef | undefined },
      events: {} as { type: 'add' } | { type: 'login'; token: string } | { type: 'reset' },
    },
    actors: {
      child,
      load: fromPromise(() => new Promise(() => undefined)),
      watch: fromCallback(() => {
        started.push('watch')
        return () => started.push('unwatch')
      }),
    },
    guards: { isFull: ({ context }) => context.count >= limit },
  }).createMachine({
    id: 'counter',
    context: ({ spawn }) => ({ count: 0, token: '', child: spawn('child', { id: 'child' }) }),
    initial: 'open',
    on: { login: { actions: assign({ token: ({ event }) => event.token }) } },
    states: {
      open: {
        ...(helper && { invoke: { src: 'watch', id: 'watch' } }),
        on: {
          add: {
            actions: [
              assign({ count: ({ context }) => context.count + step }),
              sendTo(({ context }) => context.child as AnyActorRef, { type: 'ping' }),
            ],
          },
        },
        always: { guard: 'isFull', target },
      },
      full: { invoke: { src: 'load', id: 'load' }, on: { reset: 'open' }, after: { 60_000: 'late' } },
      late: {},
    },
  })
  return { child, counter }
}

function start(logic: ReturnType<typeof version>['counter']): EditedSystem & { actor: AnyActorRef } {
  const { own } = attachWith(logic, {}, partsOf({}))
  const secrets = new Map<string, string>()
  own.onSecret((secret, pseudonym) => secrets.set(pseudonym, secret))
  own.actor.start()
  atTestEnd(() => void own.actor.stop())
  return { id: 1, label: 'counter', logic, own: own as never, secrets, actor: own.actor }
}

function run(logic: ReturnType<typeof version>['counter']) {
  const actor = createActor(logic).start()
  atTestEnd(() => void actor.stop())
  return actor
}

const signal = new AbortController().signal

async function driven(live: Exports, next: Exports, system: EditedSystem) {
  const prepared = prepareEdit({ live, next }, [captured(system)])
  return { prepared, all: await driveSystems(prepared, { signal }) }
}

const outcomes = (all: Awaited<ReturnType<typeof driven>>['all']) =>
  all.map(({ drive }) => drive.report.outcome)

test('an edit without effect on the recording is the same, and the app keeps its machines', async () => {
  const live = version()
  const system = start(live.counter)
  for (let n = 0; n < 2; n++) system.actor.send({ type: 'add' })
  const before = system.actor.getSnapshot()
  const { all } = await driven(live, version({ limit: 4 }), system)
  expect(outcomes(all)).toEqual(['same'])
  expect(system.actor.getSnapshot()).toBe(before)
  system.actor.send({ type: 'add' })
  expect(system.actor.getSnapshot().value).toBe('full')
})

test('an applied edit gives the live actors the state of a fresh run, and old references the new behavior', async () => {
  const live = version()
  const next = version({ step: 2, helper: true })
  const system = start(live.counter)
  const { child } = system.actor.getSnapshot().context
  const heard: unknown[] = []
  system.actor.subscribe(({ context }) => heard.push(context.count))
  system.actor.send({ type: 'login', token: 'secret-value-123456' })
  system.actor.send({ type: 'add' })
  const { prepared, all } = await driven(live, next, system)
  expect(outcomes(all)).toEqual(['differs'])
  expect(all[0]?.drive.report).toMatchObject({ first: { index: expect.any(Number) } })
  started.length = 0
  await applyEdit(prepared.edit, all, { signal })

  const fresh = run(version({ step: 2, helper: true }).counter)
  fresh.send({ type: 'login', token: 'secret-value-123456' })
  fresh.send({ type: 'add' })
  const plain = (actor: AnyActorRef) => {
    const { value, context, children } = actor.getSnapshot()
    return {
      value,
      count: context.count,
      token: context.token,
      pings: context.child.getSnapshot().context.pings,
      children: Object.keys(children).toSorted(),
    }
  }
  expect(plain(system.actor)).toEqual(plain(fresh))
  expect(system.actor.getSnapshot().context.child).toBe(child)
  expect(started).toEqual(['watch', 'watch'])
  expect(heard.at(-1)).toBe(2)

  for (const actor of [system.actor, fresh]) actor.send({ type: 'add' })
  expect(plain(system.actor)).toEqual(plain(fresh))
  expect(plain(system.actor).value).toBe('full')
  // The old object is the new machine.
  const later = run(live.counter)
  later.send({ type: 'add' })
  expect(later.getSnapshot().context.count).toBe(2)
})
