// The forms in which a run is taken away, each with what it is good for.
import type { ExportFormat } from '../../../trace/exports/export-trace.ts'

export interface ExportShape {
  readonly id: string
  /** Absent for the trace itself. */
  readonly format?: ExportFormat
  readonly title: string
  /** What it is good for. */
  readonly use: string
  /** How the file ends. */
  readonly ending: string
  /** Whether it is about one machine, not about the run. */
  readonly isOfMachine: boolean
}

export const EXPORTS = [
  {
    id: 'perfetto',
    format: 'perfetto',
    title: 'Perfetto',
    use: 'the run over time, for ui.perfetto.dev and the performance panel of browsers',
    ending: 'perfetto.json',
    isOfMachine: false,
  },
  {
    id: 'har',
    format: 'har',
    title: 'HAR 1.2',
    use: 'requests and sockets of a Chartroom client, for network panels and proxies',
    ending: 'har',
    isOfMachine: false,
  },
  {
    id: 'sequence',
    format: 'mermaid',
    title: 'Mermaid, the run',
    use: 'a sequence diagram for READMEs and issues; the first 250 events',
    ending: 'sequence.mmd',
    isOfMachine: false,
  },
  {
    id: 'state',
    format: 'mermaid',
    title: 'Mermaid, a machine',
    use: 'a state diagram for READMEs and issues',
    ending: 'mmd',
    isOfMachine: true,
  },
  {
    id: 'scxml',
    format: 'scxml',
    title: 'SCXML',
    use: 'a machine for other statechart tools, as W3C has it',
    ending: 'scxml',
    isOfMachine: true,
  },
  {
    id: 'trace',
    title: 'Trace file',
    use: 'everything, to be opened here, replayed, checked in CI',
    ending: 'trace.gz',
    isOfMachine: false,
  },
] as const satisfies readonly ExportShape[]

export type ExportKind = (typeof EXPORTS)[number]['id']

/** The name of the file to be saved. */
export function exportName(form: ExportShape, fileName: string, machine: string | undefined): string {
  if (!form.format) return fileName
  const base = fileName.replace(/(?:\.trace)?(?:\.jsonl)?(?:\.gz)?$/, '')
  return `${machine === undefined ? base : machine.replace(/[^\w.-]+/g, '-')}.${form.ending}`
}
