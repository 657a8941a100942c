// Loaded by pages that use XState: records the actors that they create, and shows them in the docked console.
import type { Actor, ActorOptions, AnyActorLogic, AnyActorRef, createActor } from 'xstate'
import { attachWith, type ControlHandle, trackDerivedMachines } from '../../services/control/index.ts'
import {
  attachedRecording,
  isMachine,
  isRunning,
  partsOf,
  recordUnwritten,
  type UnwrittenRecording,
} from '../../services/recording/index.ts'
import { offerSourceReader, systemSources } from '../../services/runtime/index.ts'
import { batchOf } from '../../trace/index.ts'
import { type ConsoleSystem, Systems } from '../../ui/console/attach/systems.ts'
import type { CheckedOptions } from '../options.ts'
import { answerAgents } from './agent-page.ts'
import { type Hot, PageEdits } from './edits.ts'
import { exposeSystems } from './exposed.ts'
import { createHost } from './host.ts'
import { offerServerEditor, type ServerEditor } from './vite-editor.ts'
import { tabStorage } from './tab-storage.ts'

/** Settings of the plugin, for the page. */
export interface PageSettings extends CheckedOptions {
  /** URL path of the console's own page. */
  readonly page: string
  readonly editor: ServerEditor
}

/**
 * Returns a `createActor` that records root actors; their children are part of the recording. An actor that
 * cannot be recorded is created as before.
 * @param hot Vite's channel to the development server, over which agents ask
 */
export function recordActors(
  original: typeof createActor,
  settings: PageSettings,
  hot?: Hot,
): typeof createActor {
  const systems = new Systems(tabStorage('system'))
  offerServerEditor(settings.editor)
  offerSourceReader(systemSources)
  const edits = hot && new PageEdits(hot)
  if (edits) trackDerivedMachines()
  createHost(systems, settings, edits)
  exposeSystems(systems)
  if (hot) answerAgents(systems, hot)
  const recording = <L extends AnyActorLogic>(logic: L, options?: ActorOptions<L>): Actor<L> => {
    const create = original as (logic: L, options?: ActorOptions<L>) => Actor<L>
    if (options?.parent !== undefined || settings.ignore.includes(nameOf(logic)))
      return create(logic, options)
    try {
      const { own, ...system } = recordedActor(logic, { ...options }, settings)
      const secrets = new Map<string, string>()
      if (edits) own.onSecret((secret, pseudonym) => secrets.set(pseudonym, secret))
      follow(own.actor, system, systems, entry =>
        edits?.add({
          ...entry,
          logic,
          own: own as unknown as UnwrittenRecording<AnyActorLogic>,
          secrets,
          ...(system.control && { control: system.control }),
        }),
      )
      return own.actor
    } catch (error) {
      console.warn('[chartroom] This actor is not recorded:', error)
      return create(logic, options)
    }
  }
  return recording as typeof createActor
}

const nameOf = (logic: AnyActorLogic): string => (isMachine(logic) ? logic.id : 'actor')

interface RecordedActor<L extends AnyActorLogic> extends Omit<ConsoleSystem, 'isRunning'> {
  readonly own: UnwrittenRecording<L>
  readonly control?: ControlHandle
}

function recordedActor<L extends AnyActorLogic>(
  logic: L,
  given: ActorOptions<L>,
  { redact }: PageSettings,
): RecordedActor<L> {
  const name = nameOf(logic)
  const options = { ...given, ...(redact && { redact }) }
  // The console controls time only where the app does not.
  if (given.clock === undefined) {
    const { own, recording, control } = attachWith(logic, options, partsOf({}))
    return { name, own, recording, control }
  }
  const own = recordUnwritten(logic, options, partsOf({}))
  return { name, own, recording: attachedRecording(own) }
}

/**
 * Lists a system once it has started: React's strict mode creates actors that it never starts. Only the actor
 * itself refers to this until then.
 */
function follow(
  actor: AnyActorRef,
  system: Omit<ConsoleSystem, 'isRunning'>,
  systems: Systems,
  onListed: (entry: ReturnType<Systems['add']>) => void,
): void {
  const { trace } = system.recording
  let isListed = false
  let wasRunning = true
  trace.subscribe(() => {
    if (!isListed && batchOf(trace, 1).steps.length === 0) return
    if (!isListed) onListed(systems.add({ ...system, isRunning: () => isRunning(actor) }))
    else if (isRunning(actor) !== wasRunning) systems.refresh()
    isListed = true
    wasRunning = isRunning(actor)
  })
}
