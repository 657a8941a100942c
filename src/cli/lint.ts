// `chartroom lint`: what the machines and specifications of a module show without running them.
import { styleText } from 'node:util'
import { type LintFinding, lintMachine, type Spec } from '../public/devtools/testing.ts'
import { oneLine } from '../trace/index.ts'
import { codeLink } from './code-position.ts'
import { defineCommand, type ExitCode, UsageError } from './command.ts'
import { exportedNames, type Exports, loadModule } from './module-file.ts'
import { print } from './print.ts'

type Machine = Spec['machine']

export const lintCommand = defineCommand({
  usage: 'lint FILE... [flags]',
  text: `Reports what is wrong with the XState machines and the specifications that these modules export: actions,
guards and actors without a name, names without an implementation, states and transitions that can never be used;
and for a specification (@chartroom/devtools/testing) also events that are neither handled nor ignored for a reason, and
states that its samples can't reach or leave.

Exit code: 0 nothing found, 1 something found, 2 a file could not be used.`,
  flags: {
    pairs: {
      type: 'boolean',
      about: 'Also list, for machines without a specification, the events that some states do not handle',
    },
    json: { type: 'boolean', about: 'Print one JSON object' },
  },
  takes: [1, Infinity, 'file'],
  async run({ values, names }): Promise<ExitCode> {
    const subjects = new Map<string, ReadonlyMap<Machine, Machine | Spec>>()
    for (const file of names) subjects.set(file, subjectsIn(file, await loadModule('lint', file)))
    const findings = [...subjects].flatMap(([file, specs]) =>
      [...specs.values()].flatMap(subject =>
        lint(file, subject, values.pairs).map(finding => ({ file, ...finding })),
      ),
    )
    const checked = [...subjects.values()].reduce((sum, specs) => sum + specs.size, 0)
    if (values.json) print(`${JSON.stringify({ machines: checked, findings })}\n`)
    else print(`${[...findings.map(line), summary(checked, findings.length)].join('\n')}\n`)
    return findings.length > 0 ? 1 : 0
  },
})

/** @throws UsageError if the machine throws while it is explored */
function lint(file: string, subject: Machine | Spec, pairs: boolean): LintFinding[] {
  try {
    return lintMachine(subject, { pairs })
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const line = ({ file, machine, state, message, rule, at }: LintFinding & { readonly file: string }) =>
  oneLine(
    `${at ? codeLink(at) : file}: ${machine}${state === '' ? '' : `.${state}`}: ${message} ${styleText('dim', `(${rule})`)}`,
  )

const summary = (machines: number, findings: number) =>
  `${machines === 1 ? '1 machine' : `${machines} machines`} checked: ${findings === 0 ? 'nothing found' : `${findings} found`}.`

/**
 * The machines of a module; with the specification instead, if it exports one.
 * @throws UsageError if it has none
 */
function subjectsIn(file: string, module: Exports): ReadonlyMap<Machine, Machine | Spec> {
  // A registry of machines or specifications counts as its entries.
  const values = Object.values(module).flatMap((value): unknown[] =>
    isObject(value) && !isMachine(value) && !isSpec(value) ? Object.values(value as Exports) : [value],
  )
  const specs = new Map<Machine, Machine | Spec>(values.filter(isMachine).map(machine => [machine, machine]))
  for (const spec of values.filter(isSpec)) specs.set(spec.machine, spec)
  if (specs.size === 0)
    throw new UsageError(
      `${file} exports no machine and no specification (it exports ${exportedNames(module)}).`,
    )
  return specs
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

const isMachine = (value: unknown): value is Machine =>
  isObject(value) && 'implementations' in value && 'root' in value && 'transition' in value

const isSpec = (value: unknown): value is Spec =>
  isObject(value) && 'events' in value && 'machine' in value && isMachine(value.machine)
