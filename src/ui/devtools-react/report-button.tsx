// A button that lets a user report a problem: what happened, and whether a picture and the account may be sent.
import { type ComponentProps, type FormEvent, type ReactNode, useId, useRef, useState } from 'react'
import { capturePage, type Reported, type Reporter } from '../../services/reports/index.ts'

/** Texts of `ReportButton`, for other languages and other words. */
export interface ReportTexts {
  readonly button: string
  readonly title: string
  /** What is sent, before the user decides. */
  readonly about: string
  readonly note: string
  readonly picture: string
  readonly account: string
  readonly send: string
  readonly cancel: string
  readonly close: string
  /** While the recording is written. */
  readonly busy: string
  readonly stored: string
  /** The day's budget of this browser is spent. */
  readonly budget: string
  readonly failed: string
}

const TEXTS: ReportTexts = {
  button: 'Report a problem',
  title: 'Report a problem',
  about:
    'Sends a recording of what this app did in the last minutes to its developers. It contains no passwords or sign-in tokens, but it can contain data that you saw or entered.',
  note: 'What happened?',
  picture: 'Include a picture of this page (your browser asks which)',
  account: 'Include my account, so that you can be contacted',
  send: 'Send report',
  cancel: 'Cancel',
  close: 'Close',
  busy: 'Saving the report…',
  stored: 'Thank you. The report is saved and is sent in the background, even if you close this page.',
  budget: 'This browser has sent as many reports today as it can. Please try again tomorrow.',
  failed: 'The report could not be saved.',
}

/** Properties of `ReportButton`; others are those of a `<button>`. */
export interface ReportButtonProps extends Omit<ComponentProps<'button'>, 'onClick' | 'type'> {
  readonly reporter: Pick<Reporter, 'report'>
  /** Whether the user can include their account. Defaults to true. */
  readonly account?: boolean
  /** Whether the user can include a picture. Defaults to whether the browser can take one. */
  readonly picture?: boolean
  readonly texts?: Partial<ReportTexts>
}

type Phase = 'editing' | 'saving' | Reported

/**
 * A button and its dialog. Both are plain elements, with the classes `chartroom-report-button` and
 * `chartroom-report` for the app's styles.
 */
export function ReportButton(props: ReportButtonProps): ReactNode {
  const { reporter, account = true, picture = canCapture(), texts, children, ...button } = props
  const words = { ...TEXTS, ...texts }
  const dialog = useRef<HTMLDialogElement>(null)
  const form = useRef<HTMLFormElement>(null)
  const [phase, setPhase] = useState<Phase>('editing')
  const titleId = useId()
  const aboutId = useId()
  const open = () => {
    if (phase !== 'saving') setPhase('editing')
    dialog.current?.showModal()
  }
  const close = () => dialog.current?.close()
  const send = async (values: FormData) => {
    const note = values.get('note')
    // The browser's own question comes first, while the dialog still shows why.
    const image = values.has('picture') ? await capturePage() : undefined
    setPhase('saving')
    const outcome = await reporter.report({
      note: typeof note === 'string' ? note : '',
      withUser: values.has('account'),
      ...(image && { picture: image }),
    })
    setPhase(outcome)
    if (outcome.kind === 'stored') form.current?.reset()
  }
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    void send(new FormData(event.currentTarget)).catch(() => setPhase(UNKNOWN))
  }
  const isOver = typeof phase === 'object'
  return (
    <>
      <button className="chartroom-report-button" {...button} type="button" onClick={open}>
        {children ?? words.button}
      </button>
      <dialog
        ref={dialog}
        className="chartroom-report"
        aria-labelledby={titleId}
        aria-describedby={aboutId}
        style={{ maxWidth: 'min(28rem, calc(100vw - 2rem))' }}
      >
        <form ref={form} onSubmit={submit} style={{ display: 'grid', gap: '0.75rem' }}>
          <h2 id={titleId} style={{ margin: 0, fontSize: '1.125rem' }}>
            {words.title}
          </h2>
          <p id={aboutId} style={{ margin: 0 }}>
            {words.about}
          </p>
          <fieldset disabled={phase !== 'editing'} style={isOver ? PLAIN : FIELDS} hidden={isOver}>
            <label style={{ display: 'grid', gap: '0.25rem' }}>
              {words.note}
              <textarea name="note" rows={4} maxLength={5000} style={{ font: 'inherit' }} />
            </label>
            {picture && (
              <label>
                <input type="checkbox" name="picture" /> {words.picture}
              </label>
            )}
            {account && (
              <label>
                <input type="checkbox" name="account" /> {words.account}
              </label>
            )}
          </fieldset>
          <p role="status" style={{ margin: 0 }}>
            {phase === 'saving' ? words.busy : isOver ? textOf(phase, words) : ''}
          </p>
          <div style={{ display: 'flex', gap: '0.5rem', justifyContent: 'end' }}>
            {isOver ? (
              <button type="button" onClick={close}>
                {words.close}
              </button>
            ) : (
              <>
                <button type="button" onClick={close}>
                  {words.cancel}
                </button>
                <button type="submit" disabled={phase === 'saving'}>
                  {words.send}
                </button>
              </>
            )}
          </div>
        </form>
      </dialog>
    </>
  )
}

const PLAIN = { border: 0, margin: 0, padding: 0, minWidth: 0 } as const
/** A `display` would show hidden fields. */
const FIELDS = { ...PLAIN, display: 'grid', gap: '0.75rem' } as const

const UNKNOWN: Reported = { kind: 'lost', failure: { kind: 'bug', message: '' } }

const canCapture = (): boolean => 'getDisplayMedia' in (globalThis.navigator?.mediaDevices ?? {})

function textOf(outcome: Reported, { stored, budget, failed }: ReportTexts): string {
  if (outcome.kind === 'stored' || outcome.kind === 'sent') return stored
  if (outcome.kind === 'declined') return budget
  return [failed, outcome.failure.message].join(' ').trim()
}
