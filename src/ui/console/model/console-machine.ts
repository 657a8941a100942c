// The machine of one console, and what it does not know: files with their traces, what the console shows, and what the
// user wants to leave the shown trace for.
import { consoleViewMachine } from '../../../machines/console/console-view.ts'
import { nextTurn, type Started, startMachine } from '../../../services/runtime/index.ts'
import { Listeners, type TraceSource } from '../../../trace/index.ts'
import { saveAs } from '../../widgets/save-as.ts'
import type { Bookmarks } from '../bookmarks/bookmark-store.ts'
import type { ConsoleRecording } from '../console-recording.ts'
import { type FileTrace, type Opening, openFileTrace } from './file-trace.ts'
import type { PlaceAction } from './place.ts'
import { messageOf, traceFileName } from '../text.ts'
import { Playback, type PlaybackView } from '../transport/playback.ts'

type Actor = Started<typeof consoleViewMachine>

/** The snapshot of a console's machine. */
export type ConsoleState = ReturnType<Actor['snapshot']>

/** What the console shows, as of its last render. */
interface View extends PlaybackView {
  readonly recording: ConsoleRecording
  readonly bookmarks: Pick<Bookmarks, 'save'>
}

/** A file that is still to be made. */
export interface FileSource {
  readonly name: string
  /** Rejects with the reason that is shown. */
  readonly load: () => Promise<File>
}

interface Entry extends FileSource {
  /** Ends its reader. */
  readonly ending: AbortController
  /** Undefined until it can be shown. */
  trace: FileTrace | undefined
}

/** What the shown trace is left for. */
interface Leave {
  readonly go: () => void
  /** Called if the user declines. */
  readonly stay?: (() => void) | undefined
}

/** Files that were opened or refused: a console that is created again does not open them again. */
const settled = new WeakSet<File>()

/** Files, playback and saving of one console, from `begin` to its end. */
export class ConsoleMachine {
  readonly #listeners = new Listeners()
  readonly #go: (action: PlaceAction) => void
  readonly #startReader: Opening['start']
  readonly #files: Entry[] = []
  #actor: Actor
  #view: View | undefined
  #leave: Leave | undefined
  #saved: { readonly trace: TraceSource; readonly version: number } | undefined
  readonly playback: Playback
  readonly subscribe = this.#listeners.subscribe

  /**
   * @param go changes the place
   * @param startReader starts the worker that reads a file
   */
  constructor(go: (action: PlaceAction) => void, startReader?: Opening['start']) {
    this.#go = go
    this.#startReader = startReader
    this.playback = new Playback({
      go,
      send: event => this.#actor.send(event),
      isPlaying: () => isPlaying(this.state()),
      isPartial: () => this.state().matches({ shown: { file: 'partial' } }),
    })
    this.#actor = this.#start()
  }

  readonly state = (): ConsoleState => this.#actor.snapshot()

  /** Returns a function that ends it with all workers; it may begin again. */
  readonly begin = (): (() => void) => {
    if (this.state().status !== 'active') this.#actor = this.#start()
    return () => {
      this.#actor.stop()
      this.#stay()
    }
  }

  /** Called after each render. */
  readonly show = (view: View): void => {
    this.#view = view
    this.playback.show(view)
  }

  readonly send: Actor['send'] = event => this.#actor.send(event)

  /** The shown file; undefined for the recording. */
  readonly file = (): FileTrace | undefined => {
    const { openFile } = this.state().context
    return openFile && this.#files[openFile.file]?.trace
  }

  /** Returns the name of the file that is being opened, or was refused. */
  readonly nameOfOpening = (): string => this.#files[this.state().context.opening.file]?.name ?? ''

  /**
   * Opens a file instead of the shown trace, once the user agrees to leave that.
   * @param isPlaced whether it is shown at the present place, and not at its end
   */
  readonly open = (file: File | FileSource, isPlaced = false): void => {
    const source = file instanceof File ? { name: file.name, load: () => Promise.resolve(file) } : file
    this.leave(() => {
      const { length } = this.#files
      this.#files.push({ ...source, ending: new AbortController(), trace: undefined })
      this.send({ type: 'file.requested', file: length, isPlaced })
    })
  }

  /** Opens a file that was not opened before. */
  readonly openOnce = (file: File, isPlaced: boolean): void => {
    if (!settled.has(file)) this.open(file, isPlaced)
  }

  /** Opens the recording so far, whose steps are derived then. */
  readonly derive = (): void => {
    const name = 'This recording so far'
    this.open({ name, load: async () => new File([await this.#recording().download()], name) })
  }

  /** Shows the recording instead of the file. */
  readonly close = (): void =>
    this.leave(() => {
      this.send({ type: 'file.closed' })
      this.#go({ type: 'reset' })
    })

  /** Calls `go` at once, or after the user agrees to lose notes; calls `stay` if the user does not. */
  readonly leave = (go: () => void, stay?: () => void): void => {
    this.#stay()
    this.#leave = { go, stay }
    this.send({ type: 'leave.requested' })
  }

  readonly decline = (): void => {
    this.send({ type: 'leave.declined' })
    this.#stay()
  }

  readonly setSpeed = (speed: number): void => this.send({ type: 'speed.chosen', speed })

  readonly save = (): void => this.send({ type: 'recording.save' })

  /** Whether the recording was saved since it last grew. */
  readonly isSaved = (): boolean => {
    const { trace } = this.#recording()
    return this.#saved?.trace === trace && this.#saved.version === trace.version()
  }

  #recording(): ConsoleRecording {
    if (!this.#view) throw new Error('The console shows nothing yet.')
    return this.#view.recording
  }

  #stay(): void {
    const leave = this.#leave
    this.#leave = undefined
    leave?.stay?.()
  }

  #start(): Actor {
    const actor = startMachine(consoleViewMachine, {
      openFile: ({ input: { file }, sendBack }) => {
        const entry = this.#files[file]
        if (!entry) return () => undefined
        this.#read(entry).then(
          trace => {
            if (entry.ending.signal.aborted) return
            entry.trace = trace
            sendBack({ type: 'file.opened' })
          },
          (error: unknown) => sendBack({ type: 'file.refused', message: messageOf(error) }),
        )
        return () => entry.trace ?? entry.ending.abort()
      },
      showFile: ({ input: { file, isPlaced }, sendBack }) => {
        const entry = this.#files[file]
        if (!isPlaced) this.#go({ type: 'reset' })
        void entry?.trace?.whenRead.then(() => sendBack({ type: 'file.read' }))
        return () => {
          entry?.ending.abort()
          // The trace may be large; only the name stays.
          if (entry) entry.trace = undefined
        }
      },
      playTrace: ({ input: { speed }, sendBack }) =>
        this.playback.run(speed, () => sendBack({ type: 'playback.ended' })),
      saveNotes: ({ sendBack }) => {
        void this.#view?.bookmarks.save().then(isSaved => {
          sendBack({ type: isSaved ? 'notes.saved' : 'notes.failed' })
          if (!isSaved) this.#stay()
        })
        return () => undefined
      },
      leaveTrace: ({ sendBack }) => {
        const leave = this.#leave
        this.#leave = undefined
        leave?.go()
        sendBack({ type: 'trace.left' })
        return () => undefined
      },
      saveRecording: ({ sendBack }) => {
        this.#save().then(
          () => sendBack({ type: 'recording.saved' }),
          (error: unknown) => sendBack({ type: 'recording.failed', message: messageOf(error) }),
        )
        return () => undefined
      },
    })
    actor.subscribe(this.#listeners.notify)
    return actor
  }

  /** @throws Error with the reason that is shown */
  async #read({ load, ending: { signal } }: Entry): Promise<FileTrace> {
    const file = await load()
    signal.throwIfAborted()
    const result = await openFileTrace(file, {
      signal,
      ...(this.#startReader && { start: this.#startReader }),
    })
    signal.throwIfAborted()
    settled.add(file)
    if (result.kind === 'refused') throw new Error(result.message)
    // More of a small file has arrived by then, and is drawn with its first events.
    await nextTurn()
    return result.file
  }

  async #save(): Promise<void> {
    const recording = this.#recording()
    const { trace } = recording
    const version = trace.version()
    saveAs(await recording.download(), traceFileName(trace.header))
    this.#saved = { trace, version }
  }
}

export const isPlaying = (state: ConsoleState): boolean => state.matches({ playback: 'playing' })
