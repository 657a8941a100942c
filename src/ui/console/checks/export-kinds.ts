// The export formats of a run, each with its use.
import type { ExportFormat } from '../../../trace/index.ts'

export interface ExportShape {
  readonly id: string
  /** Undefined for the trace itself. */
  readonly format?: ExportFormat
  readonly title: string
  /** What it is used for. */
  readonly use: string
  /** The file's extension. */
  readonly ending: string
  /** Whether it exports one machine instead of the run. */
  readonly isOfMachine: boolean
}

export const EXPORTS = [
  {
    id: 'perfetto',
    format: 'perfetto',
    title: 'Perfetto',
    use: 'a timeline for ui.perfetto.dev and the performance panel of browsers',
    ending: 'perfetto.json',
    isOfMachine: false,
  },
  {
    id: 'har',
    format: 'har',
    title: 'HAR 1.2',
    use: 'requests and sockets of a Chartroom client for network panels and proxies',
    ending: 'har',
    isOfMachine: false,
  },
  {
    id: 'sequence',
    format: 'mermaid',
    title: 'Mermaid (run)',
    use: 'a sequence diagram for READMEs and issues; the first 250 events',
    ending: 'sequence.mmd',
    isOfMachine: false,
  },
  {
    id: 'state',
    format: 'mermaid',
    title: 'Mermaid (machine)',
    use: 'a state diagram for READMEs and issues',
    ending: 'mmd',
    isOfMachine: true,
  },
  {
    id: 'scxml',
    format: 'scxml',
    title: 'SCXML',
    use: 'a machine as W3C SCXML for other statechart tools',
    ending: 'scxml',
    isOfMachine: true,
  },
  {
    id: 'trace',
    title: 'Trace file',
    use: 'everything; can be opened here, replayed, and checked in CI',
    ending: 'trace.gz',
    isOfMachine: false,
  },
] as const satisfies readonly ExportShape[]

export type ExportKind = (typeof EXPORTS)[number]['id']

/** Returns the name of the exported file. */
export function exportName(form: ExportShape, fileName: string, machine: string | undefined): string {
  if (!form.format) return fileName
  const base = fileName.replace(/(?:\.trace)?(?:\.jsonl)?(?:\.gz)?$/, '')
  return `${machine === undefined ? base : machine.replace(/[^\w.-]+/g, '-')}.${form.ending}`
}
