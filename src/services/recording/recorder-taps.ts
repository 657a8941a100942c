// Everything through which a recorded system meets the world: tapped leaves, numbered timers, taped readings.
import type { Redactor } from '../../trace/redact.ts'
import type { TapeEntry } from '../../trace/format.ts'
import { createRegistry } from './actor-registry.ts'
import type { Registry } from './actor-registry.ts'
import { Viewer } from './actor-viewer.ts'
import type { Clock } from '../clock.ts'
import type { Entropy } from '../entropy.ts'
import { leafKind, tapLeaf } from './leaf.ts'
import { createPlainer } from './plain.ts'
import type { Plainer } from './plain.ts'
import { StimulusTap } from './stimulus-tap.ts'
import type { Environment, SystemParts } from '../system-parts.ts'
import { createTimerTable } from './timers.ts'
import type { TimerTable } from './timers.ts'
import type { TraceLog } from './trace-log.ts'

export interface Taps extends Plainer {
  readonly registry: Registry
  readonly redactor: Redactor
  readonly viewer: Viewer
  readonly tap: StimulusTap
  readonly timers: TimerTable
  /** To put the machines together with. */
  readonly parts: SystemParts
  /** Counts the time of records from now on. */
  restartTime(): void
}

/** Creates the taps; `log` answers with the log of the moment, and is not asked before a machine exists. */
export function createTaps(
  { clock, entropy }: { clock: Clock; entropy: Entropy },
  log: () => TraceLog,
): Taps {
  let startedAt = clock.now()
  const now = () => clock.now() - startedAt
  const registry = createRegistry({ onActor: known => log().actor(known) })
  const viewer = new Viewer(registry, now, view => log().view(view))
  const tap = new StimulusTap({ registry, viewer, log, now })
  const parts: SystemParts = {
    env: tapedEnvironment(clock, entropy, entry => log().tape(entry)),
    leaf(name, logic) {
      const kind = leafKind(logic)
      if (!kind) return logic
      const tapped = tapLeaf(logic, tap.leaf)
      registry.leaf(tapped, { name, kind })
      return tapped
    },
  }
  return {
    ...createPlainer(registry),
    registry,
    viewer,
    tap,
    timers: tappedTimers(clock, registry, tap),
    parts,
    restartTime: () => void (startedAt = clock.now()),
  }
}

function tappedTimers(clock: Clock, registry: Registry, tap: StimulusTap): TimerTable {
  return createTimerTable({
    set({ source, target, ordinal, delay, event: { type } }, fire) {
      const [from, to] = [registry.of(source), registry.of(target)]
      const set = { kind: 'timer', from, to, ordinal, delay, event: { type } } as const
      const due = () => tap.stimulate(set, 'outside', fire)
      const handle = clock.setTimeout(() => tap.between(due), delay)
      return () => clock.clearTimeout(handle)
    },
  })
}

function tapedEnvironment(clock: Clock, entropy: Entropy, write: (entry: TapeEntry) => void): Environment {
  const taped = <T extends number | string>(kind: TapeEntry['kind'], value: T): T => {
    write({ line: 'tape', kind, value })
    return value
  }
  return {
    now: () => taped('now', clock.now()),
    random: () => taped('random', entropy.random()),
    id: () => taped('id', entropy.id()),
  }
}
