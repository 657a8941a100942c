// Loaded by pages that use XState: records the actors that they create, and shows them in the docked console.
import type { Actor, ActorOptions, AnyActorLogic, AnyActorRef, createActor } from 'xstate'
import { attach } from '../../services/control/index.ts'
import {
  attachedRecording,
  isMachine,
  isRunning,
  partsOf,
  recordUnwritten,
} from '../../services/recording/index.ts'
import { batchOf } from '../../trace/index.ts'
import { type EditorAccess, offerEditor } from '../../ui/console/source/editor-access.ts'
import { type ConsoleSystem, Systems } from '../../ui/console/attach/systems.ts'
import type { CheckedOptions } from '../options.ts'
import { answerAgents, type HotChannel } from './agent-page.ts'
import { exposeSystems } from './exposed.ts'
import { createHost } from './host.ts'
import { tabStorage } from './tab-storage.ts'

/** Settings of the plugin, for the page. */
export interface PageSettings extends CheckedOptions {
  /** URL path of the console's own page. */
  readonly page: string
  readonly editor: EditorAccess
}

/**
 * Returns a `createActor` that records root actors; their children are part of the recording. An actor that
 * cannot be recorded is created as before.
 * @param hot Vite's channel to the development server, over which agents ask
 */
export function recordActors(
  original: typeof createActor,
  settings: PageSettings,
  hot?: HotChannel,
): typeof createActor {
  const systems = new Systems(tabStorage('system'))
  offerEditor(settings.editor)
  createHost(systems, settings)
  exposeSystems(systems)
  if (hot) answerAgents(systems, hot)
  const recording = <L extends AnyActorLogic>(logic: L, options?: ActorOptions<L>): Actor<L> => {
    const create = original as (logic: L, options?: ActorOptions<L>) => Actor<L>
    if (options?.parent !== undefined || settings.ignore.includes(nameOf(logic)))
      return create(logic, options)
    try {
      const { actor, ...system } = recordedActor(logic, { ...options }, settings)
      follow(actor, system, systems)
      return actor
    } catch (error) {
      console.warn('[chartroom] This actor is not recorded:', error)
      return create(logic, options)
    }
  }
  return recording as typeof createActor
}

const nameOf = (logic: AnyActorLogic): string => (isMachine(logic) ? logic.id : 'actor')

interface RecordedActor<L extends AnyActorLogic> extends Omit<ConsoleSystem, 'isRunning'> {
  readonly actor: Actor<L>
}

function recordedActor<L extends AnyActorLogic>(
  logic: L,
  given: ActorOptions<L>,
  { redact }: PageSettings,
): RecordedActor<L> {
  const name = nameOf(logic)
  const options = { ...given, ...(redact && { redact }) }
  // The console controls time only where the app does not.
  if (given.clock === undefined) return { name, ...attach(logic, options) }
  const recording = recordUnwritten(logic, options, partsOf({}))
  return { name, actor: recording.actor, recording: attachedRecording(recording) }
}

/**
 * Lists a system once it has started: React's strict mode creates actors that it never starts. Only the actor
 * itself refers to this until then.
 */
function follow(actor: AnyActorRef, system: Omit<ConsoleSystem, 'isRunning'>, systems: Systems): void {
  const { trace } = system.recording
  let isListed = false
  let wasRunning = true
  trace.subscribe(() => {
    if (!isListed && batchOf(trace, 1).steps.length === 0) return
    if (!isListed) systems.add({ ...system, isRunning: () => isRunning(actor) })
    else if (isRunning(actor) !== wasRunning) systems.refresh()
    isListed = true
    wasRunning = isRunning(actor)
  })
}
