// Client-side faults, which work with any backend.
import { useState } from 'react'
import type { Fault } from '../../../services/control/index.ts'
import { Button } from '../../widgets/button.tsx'
import styles from './drive.module.css'
import { BackendSection } from './backend-section.tsx'
import { FAULT_FORMS, type FaultForm } from './fault-forms.ts'
import type { BackendFaultsModel } from './use-backend-faults.ts'
import type { Drive } from './use-drive.ts'

export interface FaultsTabProps {
  readonly drive: Drive
  /** Undefined unless the backend is the embedded one. */
  readonly backend: BackendFaultsModel | undefined
}

export function FaultsTab({ drive, backend }: FaultsTabProps) {
  const { control, state } = drive
  const [killed, setKilled] = useState<number>()
  return (
    <div className={styles.pane}>
      <div className={styles.controls}>
        <p className={styles.faint}>Client-side faults (work with any backend). Recorded as injected.</p>
        <Button size="s" isDisabled={state.faults.length === 0} onPress={() => control.faults.clear()}>
          Clear all
        </Button>
      </div>
      <ul className={styles.list} aria-label="Faults">
        {FAULT_FORMS.map(form => (
          <FaultRow key={form.kind} form={form} drive={drive} />
        ))}
        <li className={styles.row}>
          <div className={styles.what}>
            <span>Disconnect the socket</span>
            <span className={styles.who}>
              {killed === undefined
                ? 'once and abruptly, as if the network failed'
                : `${killed === 0 ? 'none was' : `${killed} ${killed === 1 ? 'was' : 'were'}`} open`}
            </span>
          </div>
          <Button size="s" onPress={() => void Promise.resolve(control.faults.killSockets()).then(setKilled)}>
            Disconnect
          </Button>
        </li>
      </ul>
      {backend ? <BackendSection model={backend} /> : null}
    </div>
  )
}

function FaultRow({ form, drive }: { readonly form: FaultForm; readonly drive: Drive }) {
  const { faults } = drive.control
  const active = drive.state.faults.find(({ fault }) => fault.kind === form.kind)
  const [values, setValues] = useState(form.inputs.map(({ initial }) => initial))
  const fault: Fault = form.make(values)
  return (
    <li className={styles.row} data-fault={active ? true : undefined}>
      <div className={styles.what}>
        <span>{active ? `◆ ${active.text}` : form.title}</span>
        <span className={styles.who}>
          {active ? (active.hits === 0 ? 'active, not hit yet' : `active, hit ${active.hits}×`) : form.text}
        </span>
        {active || form.inputs.length === 0 ? null : (
          <span className={styles.amounts}>
            {form.inputs.map(({ label, unit, min, max, step }, at) => (
              <label key={label} className={styles.amount}>
                <input
                  type="number"
                  min={min}
                  max={max}
                  step={step}
                  value={values[at]}
                  aria-label={`${form.title}: ${label}`}
                  onChange={event => setValues(known => known.with(at, Number(event.target.value)))}
                />
                {unit}
              </label>
            ))}
          </span>
        )}
      </div>
      <Button
        size="s"
        aria-label={active ? `Clear: ${active.text}` : `Set: ${form.title}`}
        onPress={() => (active ? faults.clear(form.kind) : faults.set(fault))}
      >
        {active ? 'Clear' : 'Set'}
      </Button>
    </li>
  )
}
