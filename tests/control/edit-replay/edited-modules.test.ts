// Edits of a module's text: each has its verdict, and the applied state is that of a run that had the edit from the start.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type AnyActorRef, type AnyStateMachine, createActor } from 'xstate'
import { verify } from '../../../src/services/replay/index.ts'
import { attachWith, trackDerivedMachines } from '../../../src/services/control/index.ts'
import {
  applyEdit,
  captured,
  driveSystems,
  type EditedSystem,
  EditRefused,
  prepareEdit,
  verdictOf,
} from '../../../src/services/control/edit-replay/edit-replay.ts'
import { partsOf } from '../../../src/services/recording/index.ts'
import { folderForTests } from '../../harness/child-vitest.ts'
import { atTestEnd } from '../../harness/endings.ts'

trackDerivedMachines()

interface Till {
  readonly tillMachine: AnyStateMachine
  readonly journalMachine: AnyStateMachine
}

const TEXT = await readFile(join(import.meta.dirname, '../../harness/edit-app/machine.ts'), 'utf8')
const folder = await folderForTests('edited-modules')
let evaluations = 0

/** Evaluates the module with an edit, each time as another module. */
async function evaluated(from = '', to = ''): Promise<Till> {
  expect(TEXT).toContain(from)
  const file = join(folder, `machine-${evaluations++}.ts`)
  await writeFile(file, TEXT.replaceAll(from || '\0', to))
  return (await import(file)) as Till
}

const signal = new AbortController().signal

function start(logic: AnyStateMachine): EditedSystem & { readonly actor: AnyActorRef } {
  const { own, control } = attachWith(logic, {}, partsOf({}))
  const secrets = new Map<string, string>()
  own.onSecret((secret, pseudonym) => secrets.set(pseudonym, secret))
  own.actor.start()
  atTestEnd(() => void own.actor.stop())
  return { id: 1, label: 'till', logic, own, secrets, control, actor: own.actor }
}

const INPUTS = [
  { type: 'login', token: 'tok-0123456789abcdef' },
  { type: 'add' },
  { type: 'scan' },
  { type: 'add' },
  { type: 'close' },
]

/** Waits for the effect of the first state, if it has one. */
async function settled(actor: AnyActorRef): Promise<void> {
  const status = () => actor.getSnapshot().children['rates']?.getSnapshot().status ?? 'none'
  await expect.poll(status).not.toBe('active')
}

/** Sends the inputs once the first effects have ended. */
async function use(actor: AnyActorRef): Promise<void> {
  await settled(actor)
  for (const event of INPUTS) actor.send(event)
}

function stateOf(actor: AnyActorRef) {
  const { value, context, children } = actor.getSnapshot()
  const { journal, ...values } = context
  return {
    value,
    values,
    lines: journal.getSnapshot().context.lines,
    children: Object.keys(children).toSorted(),
  }
}

const EDITS: readonly (readonly [name: string, from: string, to: string, verdict: RegExp])[] = [
  ['nothing', '', '', /^same undefined$/],
  ['a guard that stays true', '1_000_000', '2_000_000', /^same undefined$/],
  ['a state that is not reached', 'locked: {},', 'locked: { on: { add: "open" } },', /^same undefined$/],
  ['a target', "close: 'closed'", "close: 'locked'", /differs till on close is locked, not closed/],
  ['a guard', '1_000_000', '1', /differs till on add: .* /],
  [
    'an action',
    'context.count + 1',
    'context.count + 2',
    /differs till on add: \/context\/count is 2, not 1/,
  ],
  [
    'a copy of a secret',
    'token: ({ event }) => event.token',
    'token: ({ event }) => event.token, copy: ({ event }) => `for ${event.token}!`',
    /differs till on login: \/context\/copy is "for/,
  ],
  ['the context', 'scanned: 0', 'scanned: 5', /differs till on xstate\.init: \/context\/scanned is 5, not 0/],
  ['an invoke that is gone', "invoke: { src: 'rates', id: 'rates' },", '', /differs .*/],
  [
    'an invoke that is new',
    'closed: {',
    "closed: { invoke: { src: 'scanner', id: 'scanner' },",
    /differs .*scanner/,
  ],
  ['the name of an event', "close: 'closed'", "shut: 'closed'", /differs till .*close/],
  ['the name of a state', 'closed', 'shut', /differs till on close is shut, not closed/],
  ['a child machine', '[...context.lines, event.text]', '[event.text]', /differs till\/journal on note/],
]

describe.each(EDITS)('%s', (_name, from, to, verdict) => {
  test('has its verdict, and is applied', async () => {
    const live = await evaluated()
    const system = start(live.tillMachine)
    const { journal } = system.actor.getSnapshot().context
    await use(system.actor)
    const before = system.actor.getSnapshot()
    const prepared = prepareEdit({ live: { ...live }, next: { ...(await evaluated(from, to)) } }, [
      captured(system),
    ])
    const driven = await driveSystems(prepared, { signal })
    expect(driven.map(verdictOf).map(({ outcome, reason }) => `${outcome} ${reason}`)[0]).toMatch(verdict)
    expect(system.actor.getSnapshot()).toBe(before)

    await applyEdit(prepared.edit, driven, { signal })
    const fresh = createActor((await evaluated(from, to)).tillMachine).start()
    atTestEnd(() => void fresh.stop())
    await use(fresh)
    expect(stateOf(system.actor)).toEqual(stateOf(fresh))
    expect(system.actor.getSnapshot().context.journal).toBe(journal)

    // What is recorded from then on replays exactly, and is alike.
    for (const actor of [system.actor, fresh]) actor.send({ type: 'add' })
    for (const actor of [system.actor, fresh]) actor.send({ type: 'scan' })
    expect(stateOf(system.actor)).toEqual(stateOf(fresh))
    expect(verify(system.own.recorded(), { till: live.tillMachine })).toMatchObject({ outcome: 'exact' })
    expect(JSON.stringify(system.own.recorded().stimuli)).not.toContain('tok-0123456789abcdef')
  })
})

test('a shorter delay fires in the drive, and its state is applied', async () => {
  const live = await evaluated()
  const system = start(live.tillMachine)
  await use(system.actor)
  const next = await evaluated('600_000', '0')
  const prepared = prepareEdit({ live: { ...live }, next: { ...next } }, [captured(system)])
  const driven = await driveSystems(prepared, { signal })
  expect(driven.map(verdictOf)).toMatchObject([{ outcome: 'differs' }])
  await applyEdit(prepared.edit, driven, { signal })
  expect(system.actor.getSnapshot().value).toBe('locked')
})

test('events since the verdict are driven before it is applied', async () => {
  const live = await evaluated()
  const system = start(live.tillMachine)
  await settled(system.actor)
  system.actor.send({ type: 'add' })
  const next = await evaluated('context.count + 1', 'context.count + 10')
  const prepared = prepareEdit({ live: { ...live }, next: { ...next } }, [captured(system)])
  const driven = await driveSystems(prepared, { signal })
  system.actor.send({ type: 'add' })
  await applyEdit(prepared.edit, driven, { signal })
  expect(system.actor.getSnapshot().context.count).toBe(20)
  system.actor.send({ type: 'add' })
  expect(system.actor.getSnapshot().context.count).toBe(30)
})

test('a second edit is driven from where the first was applied, and changes every version of the objects', async () => {
  const live = await evaluated()
  const derived = live.tillMachine.provide({ actions: { note: () => undefined } })
  const system = start(live.tillMachine)
  const second = start(derived)
  for (const { actor } of [system, second]) await use(actor)
  for (const [to, count] of [
    ['context.count + 10', 20],
    ['context.count + 100', 20],
  ] as const) {
    const next = await evaluated('context.count + 1', to)
    const prepared = prepareEdit({ live: { ...live }, next: { ...next } }, [system, second].map(captured))
    expect(prepared.systems).toHaveLength(2)
    await applyEdit(prepared.edit, await driveSystems(prepared, { signal }), { signal })
    expect([system, second].map(({ actor }) => actor.getSnapshot().context.count)).toEqual([count, count])
  }
  const later = createActor(derived).start()
  atTestEnd(() => void later.stop())
  later.send({ type: 'add' })
  expect(later.getSnapshot().context.count).toBe(100)
  expect(later.getSnapshot().context.journal.getSnapshot().context.lines).toEqual([])
})

test('an edit that needs more than new machines is refused', async () => {
  const live = await evaluated()
  const renamed = await evaluated("id: 'till'", "id: 'desk'")
  const without = await evaluated('export const journalMachine', 'const journalMachine')
  const more = await evaluated(
    'export const tillMachine',
    'export const format = () => 1\nexport const tillMachine',
  )
  const refusal = (next: Till) => {
    try {
      prepareEdit({ live: { ...live }, next: { ...next } }, [])
    } catch (error) {
      if (error instanceof EditRefused) return [error.message, error.needsUpdate]
    }
    return expect.unreachable()
  }
  expect(refusal(renamed)).toEqual([expect.stringContaining('till now has the id desk'), false])
  expect(refusal(without)).toEqual([expect.stringContaining('no longer exports journalMachine'), true])
  expect(refusal(more)).toEqual([expect.stringContaining('also exports format'), true])
})

test('an aborted drive changes nothing', async () => {
  const live = await evaluated()
  const system = start(live.tillMachine)
  await use(system.actor)
  const { config, root } = live.tillMachine
  const fields = { ...config }
  const prepared = prepareEdit(
    { live: { ...live }, next: { ...(await evaluated('context.count + 1', '7')) } },
    [captured(system)],
  )
  await expect(driveSystems(prepared, { signal: AbortSignal.abort(new Error('replaced')) })).rejects.toThrow(
    'replaced',
  )
  expect(live.tillMachine.config).toBe(config)
  expect(live.tillMachine.root).toBe(root)
  expect({ ...config }).toEqual(fields)
})
