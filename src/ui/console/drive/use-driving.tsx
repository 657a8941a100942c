// Driving in the console: its buttons, its bar, its panel and its keys, over what is looked at.
import { useReducer, type KeyboardEvent, type ReactNode } from 'react'
import type { ControlHandle } from '../../../control.ts'
import { takesText } from '../keys.ts'
import type { ConsoleModel } from '../use-console.ts'
import { DriveBar, DriveButtons } from './drive-bar.tsx'
import { driveCommandOf, type DriveCommand } from './drive-keys.ts'
import { DrivePanel } from './drive-panel.tsx'
import { breaksAt } from './new-breakpoint.ts'
import { useDrive } from './use-drive.ts'

/** What the console shows of driving; nothing of it where nothing can be driven. */
export interface Driving {
  readonly buttons: ReactNode
  readonly bar: ReactNode
  readonly panel: ReactNode
  /** Whether the key was one of driving. */
  readonly onKey: (event: KeyboardEvent) => boolean
}

export function useDriving(handle: ControlHandle | undefined, model: ConsoleModel): Driving {
  const drive = useDrive(handle)
  const [isOpen, toggle] = useReducer((was: boolean) => !was, false)
  if (!drive) return { buttons: null, bar: null, panel: null, onKey: () => false }
  const { selection, charts, followed } = model
  const { source } = followed
  const { control, state } = drive
  const commands: Readonly<Record<DriveCommand, () => void>> = {
    hold: () => (state.hold ? control.release() : control.hold()),
    letOne: () => void control.step(),
    break: () => {
      if (!selection.record) return
      for (const where of breaksAt(source, selection.record, selection.before)) control.breakOn(where)
    },
    drive: toggle,
  }
  const show = (seq: number) => {
    const view = source.views[seq]
    if (view) model.pick(view)
  }
  const place = { source, charts, actor: selection.actor, record: selection.record }
  return {
    buttons: <DriveButtons drive={drive} isOpen={isOpen} onToggle={toggle} />,
    bar: <DriveBar drive={drive} onShow={show} />,
    panel: isOpen ? <DrivePanel drive={drive} place={place} /> : null,
    onKey(event) {
      const command = driveCommandOf(event)
      const inside = event.currentTarget.contains(event.target instanceof Node ? event.target : null)
      if (!command || !inside || takesText(event.target)) return false
      event.preventDefault()
      event.stopPropagation()
      commands[command]()
      return true
    },
  }
}
