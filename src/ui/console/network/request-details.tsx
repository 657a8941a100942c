// The selected call: its states with times, the reason for each retry, headers, bodies and messages.
import { memo, useMemo, useState, type ReactNode } from 'react'
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import type { CallContent } from '../../../services/control/index.ts'
import type { Timeline, Wire } from '../../../trace/index.ts'
import { cx } from '../../widgets/cx.ts'
import { CopyButton } from '../../widgets/copy-button.tsx'
import { duration } from '../canvas/time-scale.ts'
import { clockTime, count } from '../text.ts'
import { CallLinks } from './call-links.tsx'
import { Body, Headers, Messages, Note, Parameters } from './call-contents.tsx'
import {
  capturedCalls,
  curlOf,
  decodedPath,
  fetchOf,
  framesWithin,
  parametersOf,
  useNetworkContents,
} from './network-contents.ts'
import { methodOf, type NetworkRow } from './network-rows.ts'
import filters from './network.module.css'
import phases from './phases.module.css'
import styles from './request-details.module.css'
import { retriesOf, storyOf } from './request-story.ts'
import { formatSize } from '../../../services/workbench/text/index.ts'

export interface RequestDetailsProps {
  readonly timeline: Timeline
  /** Increases with the timeline. */
  readonly version: number
  readonly row: NetworkRow
  readonly onRecord: (seq: number) => void
  /** Shows a step, with these details. */
  readonly onStep: (seq: number) => void
  readonly onCall: (wire: Wire) => void
}

export const RequestDetails = memo(function RequestDetails(props: RequestDetailsProps) {
  const { timeline, version, row, onRecord, onStep, onCall } = props
  const { wire, status, outcome, attempts, bytes } = row
  const story = useMemo(() => (version >= 0 ? storyOf(timeline, row) : []), [timeline, version, row])
  const fault = useMemo(() => faultOf(timeline, wire), [timeline, wire])
  const [section, setSection] = useState<Section>('states')
  const sections = SECTIONS[wire.kind]
  const shown = sections.includes(section) ? section : 'states'
  const { content, attempt, messages } = useContentOf(timeline, version, row)
  const copied = { ...wire, content }
  return (
    <section className={styles.details} aria-label="Selected request" data-call-details>
      <header className={styles.head}>
        <h2 className={styles.title}>
          <span className={styles.method}>{methodOf(wire)}</span> {decodedPath(wire.path)}
        </h2>
        {wire.kind === 'request' || wire.kind === 'call' ? (
          <span className={styles.copies}>
            curl <CopyButton text={curlOf(copied)} label="Copy as curl, without secrets" />
            fetch <CopyButton text={fetchOf(copied)} label="Copy as fetch, without secrets" />
          </span>
        ) : null}
      </header>
      <p className={styles.facts}>
        {[
          status === undefined ? '' : `${status}`,
          outcome,
          attempts === 1 ? '1 attempt' : `${count(attempts)} attempts`,
          `${duration(row.to - row.from)}${row.isOpen ? ' so far' : ''}`,
          bytes === undefined ? '' : `${formatSize(bytes)} response`,
          `started at ${clockTime(row.from)}`,
          fault === undefined ? '' : `injected by ${fault}`,
        ]
          .filter(fact => fact !== '')
          .join(' · ')}
      </p>
      <SectionBar sections={sections} shown={shown} onShow={setSection} />
      {shown === 'states' ? (
        <>
          <ol className={styles.story}>
            {story.map(({ seq, after, took, phase, text }) => (
              <li key={seq}>
                <button type="button" className={styles.chapter} onClick={() => onRecord(seq)}>
                  <span className={styles.time}>{after === 0 ? '0 ms' : `+${duration(after)}`}</span>
                  <span aria-hidden className={cx(styles.swatch, phases.phase)} data-phase={phase} />
                  <span>{text}</span>
                  <span className={styles.took}>{took}</span>
                </button>
              </li>
            ))}
          </ol>
          {retriesOf(wire).map(why => (
            <p key={why} className={styles.why}>
              {why}
            </p>
          ))}
          <CallLinks {...{ timeline, version, wire, onStep, onCall }} />
          <Parameters list={parametersOf(wire.path)} />
        </>
      ) : shown === 'messages' ? (
        messages
      ) : (
        <>
          {attempts > 1 && attempt > 0 ? <Note>{`Attempt ${attempt} of ${attempts}.`}</Note> : null}
          <Content content={content} section={shown} isOpen={row.isOpen} />
        </>
      )}
    </section>
  )
})

function faultOf(timeline: Timeline, { kind, actor, attempts }: Wire): string | undefined {
  const reports = attempts.flatMap(({ answer, result, closed }) => [answer, result, closed?.seq])
  const steps = kind === 'call' ? reports : [...timeline.stepsOf(actor), ...reports]
  return steps.map(seq => (seq === undefined ? undefined : timeline.faultOf(seq))).find(Boolean)
}

type Section = 'states' | 'headers' | 'payload' | 'response' | 'messages'

const SECTIONS: Readonly<Record<NetworkRow['wire']['kind'], readonly Section[]>> = {
  request: ['states', 'headers', 'payload', 'response'],
  call: ['states', 'headers', 'payload', 'response'],
  socket: ['states', 'messages'],
}

const SECTION_TITLES: Readonly<Record<Section, string>> = {
  states: 'States',
  headers: 'Headers',
  payload: 'Payload',
  response: 'Response',
  messages: 'Messages',
}

interface SectionBarProps {
  readonly sections: readonly Section[]
  readonly shown: Section
  readonly onShow: (section: Section) => void
}

function SectionBar({ sections, shown, onShow }: SectionBarProps) {
  return (
    <ToggleButtonGroup
      aria-label="Details"
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[shown]}
      onSelectionChange={keys => {
        const section = sections.find(one => keys.has(one))
        if (section) onShow(section)
      }}
      className={cx(filters.kinds)}
    >
      {sections.map(one => (
        <ToggleButton key={one} id={one} className={cx(filters.kind)}>
          {SECTION_TITLES[one]}
        </ToggleButton>
      ))}
    </ToggleButtonGroup>
  )
}

const NOT_CAPTURED =
  'Not captured. Headers and bodies are kept in memory while the console of this page is open, and never recorded.'

/** Content of the latest attempt that was captured, with its number from 1, and the messages of a socket. */
function useContentOf(timeline: Timeline, version: number, { wire, from, to, isOpen }: NetworkRow) {
  const { contents, version: captured } = useNetworkContents()
  return useMemo((): { content: CallContent | undefined; attempt: number; messages: ReactNode } => {
    // Both versions increase with what is read here.
    if (!contents || version < 0 || captured < 0)
      return { content: undefined, attempt: 0, messages: <Note>{NOT_CAPTURED}</Note> }
    if (wire.kind === 'socket') {
      const frames = framesWithin(contents.frames(), from, isOpen ? Infinity : to)
      return { content: undefined, attempt: 0, messages: <Messages frames={frames} /> }
    }
    const calls = capturedCalls(contents.calls(), timeline, wire)
    const at = calls.findLastIndex(call => call !== undefined)
    return { content: calls[at]?.read(), attempt: at + 1, messages: null }
  }, [contents, captured, timeline, version, wire, from, to, isOpen])
}

interface ContentProps {
  readonly content: CallContent | undefined
  readonly section: Section
  readonly isOpen: boolean
}

function Content({ content, section, isOpen }: ContentProps) {
  if (!content) return <Note>{NOT_CAPTURED}</Note>
  const { headers, body, response } = content
  if (section === 'payload') return <Body title="Request body" body={body} />
  if (section === 'response') {
    if (response) return <Body title="Response body" body={response.body} />
    return <Note>{isOpen ? 'No response yet.' : 'No response.'}</Note>
  }
  return (
    <>
      <Headers title="Request headers" list={headers} />
      {response ? <Headers title="Response headers" list={response.headers} /> : null}
    </>
  )
}
