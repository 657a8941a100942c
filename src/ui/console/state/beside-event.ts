// Host content next to the selected event, such as a link to another recording.
import type { ReactNode } from 'react'
import type { StepRecord, TraceHeader } from '../../../trace/index.ts'

/** `header` is that of the shown recording, which may be an opened file. */
export type BesideEvent = (event: StepRecord['event'], header: TraceHeader) => ReactNode
