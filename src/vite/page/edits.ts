// Edit and replay in a page: what it records, and its console. The rest is loaded with the console.
import type { EditedSystem } from '../../services/control/edit-replay/edit-replay.ts'
import { isRunning } from '../../services/recording/index.ts'
import { Listeners } from '../../trace/index.ts'
import type { SavedModule } from '../../machines/console/edit-replay.ts'
import type { ConsoleEdits, EditState } from '../../ui/console/edits/edits.ts'
import type { EditReplay } from './edit-effects.ts'

/** The link with the development server. */
export interface Hot {
  /** Imports a module of the app by the URL that it has in the page. */
  readonly load: (url: string) => Promise<unknown>
  readonly on: (event: string, listener: (data: never) => void) => void
  readonly send: (event: string, data: unknown) => void
}

const IDLE: EditState = {
  phase: 'idle',
  saved: { file: '', url: '', liveUrl: '', isHeld: false },
  progress: { count: 0, total: 0 },
  message: '',
  verdicts: [],
}

/** Lets the development server hold updates while the console is open. */
export class PageEdits implements ConsoleEdits {
  readonly #hot: Hot
  readonly #listeners = new Listeners()
  #systems: readonly EditedSystem[] = []
  #replay: EditReplay | undefined
  #isWatching = false

  constructor(hot: Hot) {
    this.#hot = hot
    hot.on('chartroom:saved', (saved: SavedModule) => this.#replay?.saved(saved))
  }

  readonly subscribe = this.#listeners.subscribe
  readonly state = (): EditState => this.#replay?.state() ?? IDLE
  readonly send: ConsoleEdits['send'] = type => this.#replay?.send(type)

  /** Adds a recorded system that has started. */
  add(system: EditedSystem): void {
    this.#systems = [...this.#running(), system]
  }

  /** Starts or stops to hold updates. */
  async watch(isOn: boolean): Promise<void> {
    this.#isWatching = isOn
    if (isOn && !this.#replay) {
      const { createEditReplay } = await import('./edit-effects.ts')
      this.#replay ??= createEditReplay({
        load: this.#hot.load,
        systems: () => this.#running(),
        update: file => this.#hot.send('chartroom:update', file),
        onChange: () => this.#listeners.notify(),
      })
    }
    this.#hot.send('chartroom:watch', this.#isWatching)
  }

  #running(): readonly EditedSystem[] {
    return this.#systems.filter(({ own: { actor } }) => isRunning(actor))
  }
}
