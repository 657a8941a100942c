// Runs of generated systems, unrecorded or recorded, with an app around them that listens, sends and stops.
import { createActor, waitFor } from 'xstate'
import type { AnyActorRef } from 'xstate'
import { createSeededEntropy } from '../../src/services/runtime/entropy.ts'
import { record } from '../../src/services/recording/record.ts'
import type { Recording } from '../../src/services/recording/recording-types.ts'
import { createDice, createWorld, EVENTS, someActor } from './generated-world.ts'
import type { World } from './generated-world.ts'
import { generateSystem } from './generated-system.ts'

/** The system of a seed, for a replay: the given world is never touched. */
export const generatedSystem = (seed: number) => ({ generated: generateSystem(seed, createWorld(0)) })

/** A run that is recorded. */
export async function recordGenerated(
  seed: number,
  events = 12,
  keyframeEvery = 6,
  entropy = createSeededEntropy(seed),
  steps = true,
) {
  const world = createWorld(seed + 1)
  const { clock } = world
  const logic = generateSystem(seed, world)
  const recording: Recording = record(logic, {
    system: 'generated',
    clock,
    entropy,
    keyframeEvery,
    steps,
    logger: world.note,
  })
  await live(world, recording.actor, seed, events)
  return { recording, log: world.log }
}

/** The same run without a recorder. */
export async function runGenerated(seed: number, events = 12) {
  const world = createWorld(seed + 1)
  const actor = createActor(generateSystem(seed, world), { clock: world.clock, logger: world.note })
  await live(world, actor, seed, events)
  return world.log
}

async function live(world: World, actor: AnyActorRef, seed: number, events: number): Promise<void> {
  const dice = createDice(seed + 2)
  const { clock, note, poke } = world
  world.own(actor)
  listen(world, actor, 'root')
  if (dice.chance(0.2)) actor.send({ type: 'a', early: true })
  ;(actor as { start?: () => void }).start?.()
  waitFor(actor, snapshot => (snapshot as { context?: { n?: number } }).context?.n === 3).then(
    () => poke('waiting'),
    (error: unknown) => note(`gave up: ${String(error)}`),
  )
  for (let i = 0; i < events; i++) {
    const target = dice.chance(0.7) ? actor : someActor(actor, dice)
    if (i === 4 && target !== actor) listen(world, target, 'child')
    target.send({ type: dice.pick(EVENTS), i })
    if (dice.chance(0.5)) clock.advance(dice.below(5))
    for (let turns = dice.below(6); turns > 0; turns--) await Promise.resolve()
  }
  clock.advance(4)
  for (let turns = 0; turns < 5; turns++) await Promise.resolve()
  if (dice.chance(0.8)) (actor as { stop?: () => void }).stop?.()
  clock.advance(20)
  for (let turns = 0; turns < 5; turns++) await Promise.resolve()
}

function listen(world: World, actor: AnyActorRef, who: string): void {
  const { dice, note, poke } = world
  actor.subscribe({
    next(snapshot: unknown) {
      const { value, context, status } = snapshot as { value?: unknown; context?: unknown; status: string }
      note(`${who}: ${status} ${JSON.stringify(value)} ${n(context)}`)
      if (dice.chance(0.1)) poke(`${who} listener`)
    },
    error: error => note(`${who} failed: ${String(error)}`),
    complete() {
      note(`${who} complete`)
      if (dice.chance(0.3)) poke(`${who} end`)
    },
  })
  actor.on('*', event => {
    note(`${who} emits ${JSON.stringify(event)}`)
    if (dice.chance(0.3)) poke(`${who} emitted`)
  })
}

function n(context: unknown): string {
  const { n: count, fuel } = (context ?? {}) as { n?: number; fuel?: number }
  return `${count}/${fuel}`
}
