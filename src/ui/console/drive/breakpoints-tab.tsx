// Breakpoints with their hit counts, and the form for a new one.
import { Trash2 } from 'lucide-react'
import type { Breakpoint } from '../../../services/control/index.ts'
import { IconButton } from '../../widgets/button.tsx'
import { Kbd } from '../../widgets/kbd.tsx'
import { BreakpointForm } from './breakpoint-form.tsx'
import type { DrivePlace } from './drive-panel.tsx'
import styles from './drive.module.css'
import type { Drive } from './use-drive.ts'

export function BreakpointsTab({ drive, place }: { readonly drive: Drive; readonly place: DrivePlace }) {
  const { breakpoints } = drive.state
  return (
    <div className={styles.pane}>
      {breakpoints.length === 0 ? (
        <p className={styles.faint}>
          No breakpoints. Select an event in the log and press <Kbd>B</Kbd> to pause the system whenever it
          gets there again.
        </p>
      ) : (
        <ul className={styles.list} aria-label="Breakpoints">
          {breakpoints.map(breakpoint => (
            <Line key={breakpoint.id} breakpoint={breakpoint} drive={drive} />
          ))}
        </ul>
      )}
      <BreakpointForm drive={drive} place={place} />
    </div>
  )
}

function Line({ breakpoint, drive }: { readonly breakpoint: Breakpoint; readonly drive: Drive }) {
  const { id, isOn, text, hits, from } = breakpoint
  const { control, state } = drive
  const isHolding = state.hold?.breakpoint === id
  return (
    <li className={styles.row} data-holding={isHolding || undefined}>
      <label className={styles.check}>
        <input
          type="checkbox"
          checked={isOn}
          onChange={event => control.changeBreakpoint(id, { isOn: event.target.checked })}
        />
        <span className={styles.breakText}>{text}</span>
      </label>
      <span className={styles.time}>
        {isHolding ? 'paused · ' : ''}
        {hits}×
      </span>
      <label className={styles.from}>
        from hit
        <input
          type="number"
          min={1}
          value={from}
          aria-label={`Pause from nth hit: ${text}`}
          onChange={event =>
            control.changeBreakpoint(id, { from: Math.max(1, Number(event.target.value) || 1) })
          }
        />
      </label>
      <IconButton size="s" label={`Remove: ${text}`} onPress={() => control.removeBreakpoint(id)}>
        <Trash2 size={13} aria-hidden />
      </IconButton>
    </li>
  )
}
