// The app's end of the console in a separate window: sends the recording so far, then new records.
import type { ConsoleRecording } from '../console-recording.ts'
import type { DrivenBy } from '../drive/driven.ts'
import type { PlaceParams } from '../model/location.ts'
import { DriveLink } from './drive-link.ts'
import type { FromApp, FromWindow, Wire } from './tab-protocol.ts'
import { TraceStreamer } from './trace-streamer.ts'

/** How often new records are sent, in milliseconds. */
const PACE = 50
const STATE_EVERY = 1_000
/** Full state is sent every Nth tick; pauses are sent immediately. */
const DRIVE_PACE = 4
/** Heartbeats that may be missed before the window counts as closed: a killed window sends nothing. */
const MISSED = 5

export interface TabLink {
  /** Reports that the page is closing. */
  readonly leave: () => void
  /** Closes the link; the window keeps showing what it has. */
  readonly close: () => void
}

/** The app's end. */
export type AppWire = Wire<FromApp, FromWindow>

export interface TabLinkOptions {
  readonly recording: ConsoleRecording
  readonly wire: AppWire
  /** Control of the system, if available. */
  readonly control?: Pick<DrivenBy, 'open'> | undefined
  readonly newId: () => string
  /** Called with the console's place when the user closes the window to dock the console in the app. */
  readonly onDock: (at: PlaceParams) => void
}

/** Links a recording to the window whenever the window is connected. */
export function linkTab({ recording, wire, control, newId, onDock }: TabLinkOptions): TabLink {
  const drive = new DriveLink(wire, control)
  let telling: TraceStreamer | undefined
  let timers: ReturnType<typeof setInterval>[] = []
  let [turn, seen, missed] = [0, -1, 0]
  /** State of a window that counted as closed, in case it was only suspended. */
  let asleep: { readonly wasDriving: boolean } | undefined
  const begin = () => {
    telling?.end()
    telling = new TraceStreamer(recording, wire, newId())
  }
  const pump = () => {
    if (telling?.isOutdated) begin()
    telling?.notify()
    const version = recording.trace.version()
    turn = (turn + 1) % DRIVE_PACE
    if (turn > 0 || version === seen) return
    seen = version
    drive.report()
  }
  /** Nothing runs while no window listens. */
  const end = () => {
    timers.forEach(clearInterval)
    timers = []
    telling?.end()
    telling = undefined
    drive.rest()
  }
  const beat = () => {
    missed += 1
    if (missed > MISSED) {
      asleep = { wasDriving: drive.isDriven }
      return end()
    }
    telling?.sendState()
    drive.report(true)
  }
  const greet = () => {
    timers.forEach(clearInterval)
    timers = [setInterval(pump, PACE), setInterval(beat, STATE_EVERY)]
    begin()
  }
  const wake = () => {
    const was = asleep
    asleep = undefined
    if (!was) return
    greet()
    if (was.wasDriving) drive.receive({ kind: 'drive' })
  }
  const leave = () => {
    // Unsent records are lost with the page.
    telling?.notify()
    wire.send({ kind: 'gone' })
  }
  wire.onMessage(message => {
    missed = 0
    const isOver = message.kind === 'closed' || message.kind === 'dock'
    if (isOver || message.kind === 'hello') asleep = undefined
    wake()
    if (drive.receive(message) || message.kind === 'alive') return
    if (message.kind === 'hello') greet()
    else if (message.kind === 'start') recording.start()
    else if (message.kind === 'stop') recording.stop()
    else if (message.kind === 'save') void save(recording, wire, message.ask)
    else if (message.kind === 'bookmark') recording.bookmark?.(message.note, message.step)
    else {
      if (message.kind === 'dock') drive.handOver()
      end()
    }
    if (message.kind === 'dock') onDock(message.at)
  })
  // The window may have outlived the previous page.
  wire.send({ kind: 'here' })
  return {
    leave,
    close() {
      leave()
      end()
      wire.close()
    },
  }
}

async function save(recording: ConsoleRecording, wire: AppWire, ask: number): Promise<void> {
  try {
    wire.send({ kind: 'file', ask, bytes: await recording.download() })
  } catch (error) {
    wire.send({ kind: 'file', ask, failure: error instanceof Error ? error.message : String(error) })
  }
}
