// Code generated from hostile recordings: each file is parsed by another program, and its statements are compared.
import fc from 'fast-check'
import { parseSync, type Node } from 'oxc-parser'
import { describe, expect, test } from 'vitest'
import { testOf } from '../../../../src/cli/reports/test.ts'
import { recordedTest } from '../../../../src/services/replay/index.ts'
import type { Report } from '../../../../src/services/reports/rows.ts'
import {
  type ActorEntry,
  ActorReference,
  jsComment,
  jsImport,
  jsString,
  literal,
  ownSystem,
  pathSegment,
  readTrace,
  type ReplayableTrace,
  type StepRecord,
  type Stimulus,
  vitestTest,
} from '../../../../src/trace/index.ts'
import { stepsAsCode } from '../../../../src/ui/console/checks/steps-as-code.ts'
import { systemImport } from '../../../../src/ui/console/checks/test-form.tsx'
import { hostileText, hostileValue } from '../../../harness/hostile-texts.ts'
import { assertProperty } from '../../../harness/volume.ts'

const RUNS = 1_000

interface HostileRun {
  readonly trace: ReplayableTrace
  /** What the app sent, in order. */
  readonly sent: readonly unknown[]
}

const event = fc
  .tuple(hostileText, fc.dictionary(hostileText, hostileValue, { maxKeys: 3 }))
  .map(([type, fields]) => ({ ...fields, type }))

/** A run of a root machine and an effect, in which every text is hostile; paths are not encoded, as in a forged file. */
const hostileRun: fc.Arbitrary<HostileRun> = fc
  .record({
    system: hostileText,
    ids: fc.tuple(hostileText, hostileText),
    sent: fc.array(event, { minLength: 1, maxLength: 4 }),
    answers: fc.array(fc.tuple(event, fc.boolean()), { maxLength: 3 }),
    states: fc.array(hostileText, { minLength: 1, maxLength: 3 }),
    context: hostileValue,
    input: hostileValue,
  })
  .map(({ system, ids: [root, leaf], sent, answers, states, context, input }) => {
    const actors: ActorEntry[] = [
      { line: 'actor', index: 0, path: root, kind: 'machine', src: system },
      { line: 'actor', index: 1, path: `${root}/${leaf}`, parent: 0, kind: 'callback', src: leaf },
    ]
    const stimuli = [
      ...sent.map(each => ({ kind: 'external', to: 0, event: each }) as const),
      ...answers.map(([each, isAnchored]) => ({
        kind: 'leaf' as const,
        to: 0,
        from: 1,
        event: each,
        ...(isAnchored && { anchor: { phase: 'start' as const, n: 0 } }),
      })),
    ].map((each, seq): Stimulus => ({ line: 'stimulus', seq, t: seq, ...each }))
    const steps = stimuli.map(({ seq, t, event: cause }): StepRecord => ({
      line: 'step',
      seq,
      t,
      actor: 0,
      event: cause as StepRecord['event'],
      cause: seq,
      status: 'active',
      value: states[seq % states.length] ?? '',
      context,
      changed: true,
    }))
    const trace: ReplayableTrace = {
      header: {
        line: 'header',
        format: 1,
        system,
        appVersion: '1',
        xstateVersion: '5',
        startedAt: '2026-01-01T00:00:00.000Z',
        input,
        machines: {},
        redaction: { policy: 'none' },
      },
      actors,
      stimuli,
      tape: [],
      steps,
      keyframes: [],
      hashes: [],
      damage: [],
      bookmarks: [],
      live: false,
      version: () => 0,
      subscribe: () => () => undefined,
    }
    return { trace, sent }
  })

const hostileReport: fc.Arbitrary<Report> = fc
  .record({
    title: hostileText,
    app_version: hostileText,
    fingerprint: hostileText,
    id: hostileText,
    happened_at: hostileText,
    cause: fc.constantFrom('invariant', 'error', 'signedOut' as never),
  })
  .map(fields => ({
    received_at: '',
    system: '',
    user_id: null,
    note: '',
    path: '',
    trace_bytes: 0,
    picture: null,
    driven_at: null,
    driven_version: null,
    driven_outcome: null,
    driven_summary: null,
    ...fields,
  }))

/** Vitest reads these anywhere in a file. */
const DIRECTIVES = /@(?:vitest|jest)-environment|(?:\/\/|\*)\s*@module-tag|^\s*\/\/+\s*@ts-/m

const MODULES = [...['assertions', 'replay', 'vitest'].map(entry => `@chartroom/devtools/${entry}`), 'vitest']

/** Globals and names of the API that a test may use, and its own variables. */
const NAMES = new Set(
  `test expect stage atOnce AtOnce createStage recordedStage driveRecording assertion never failed systems URL Error
  Object undefined const`.split(/\s+/),
)
/** Members that a test may read, but for those of literals. */
const MEMBERS = new Set(
  `start send answer advance stop finish reach state states context actors toEqual toMatchObject toContain not url
  assign toSatisfy toKeepInvariants`.split(/\s+/),
)

/** Parses a file, and returns what is neither a literal nor one of our statements. */
function foreignParts(source: string, from: string): string[] {
  const { program, errors, comments } = parseSync('generated.test.ts', source)
  const found = errors.map(({ message }) => `syntax: ${message}`)
  if (DIRECTIVES.test(source)) found.push('a directive')
  for (const { type, value, start } of comments) {
    const line = source.slice(source.lastIndexOf('\n', start - 1) + 1, start)
    if (type !== 'Line' || line.trim() !== '' || /[\r\u2028\u2029]/.test(value))
      found.push('a comment behind code, or of several lines')
  }
  const statements = program.body.map(({ type }) => type)
  const shape = /^(?:ImportDeclaration,)+(?:VariableDeclaration,)?ExpressionStatement$/
  if (!shape.test(statements.join(','))) found.push(`statements: ${statements.join(', ')}`)
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration') {
      if (![...MODULES, from].includes(statement.source.value)) found.push(`import ${statement.source.value}`)
      for (const { local } of statement.specifiers) if (!isOurs(local.name)) found.push(`as ${local.name}`)
    } else visit(statement, found)
  }
  return found
}

const isOurs = (name: string) => NAMES.has(name) || name === 'machine' || name === 'imported'

/** The kinds of nodes that tests consist of. */
const NODES = new Set(
  `ExpressionStatement VariableDeclaration VariableDeclarator CallExpression NewExpression AwaitExpression
  ArrowFunctionExpression BlockStatement ObjectExpression ArrayExpression Literal UnaryExpression Identifier
  MemberExpression MetaProperty Property TSAsExpression TSTypeReference TSArrayType TSTypeAnnotation`.split(
    /\s+/,
  ),
)

function visit(node: Node, found: string[]): void {
  if (!NODES.has(node.type)) found.push(node.type)
  if (node.type === 'Identifier' && !isOurs(node.name)) found.push(`identifier ${node.name}`)
  if (node.type === 'MemberExpression') {
    visit(node.object, found)
    if (node.computed) visit(node.property, found)
    else if (node.property.type !== 'Identifier' || !MEMBERS.has(node.property.name)) found.push('member')
    return
  }
  if (node.type === 'Property') {
    if (node.computed) visit(node.key, found)
    visit(node.value, found)
    return
  }
  if (node.type === 'MetaProperty') return
  for (const child of Object.values(node).flat() as unknown[])
    if (typeof child === 'object' && child !== null && 'type' in child) visit(child as Node, found)
}

/** The arguments of each call of a method of the stage, by plain evaluation of the parsed literals. */
function argumentsOf(source: string, method: string): unknown[] {
  const calls: unknown[] = []
  const look = (node: unknown): void => {
    if (Array.isArray(node)) return node.forEach(look)
    if (typeof node !== 'object' || node === null) return
    const { type, callee, arguments: values } = node as { type?: string; callee?: Node; arguments?: Node[] }
    if (
      type === 'CallExpression' &&
      callee?.type === 'MemberExpression' &&
      callee.property.type === 'Identifier' &&
      callee.property.name === method
    )
      calls.push(values?.[0] && evaluated(values[0]))
    for (const child of Object.values(node)) look(child)
  }
  look(parseSync('generated.test.ts', source).program)
  return calls
}

function evaluated(node: Node): unknown {
  switch (node.type) {
    case 'Literal':
      return node.value
    case 'UnaryExpression':
      return -(evaluated(node.argument) as number)
    case 'ArrayExpression':
      return node.elements.map(item => evaluated(item as Node))
    case 'ObjectExpression':
      return Object.fromEntries(
        node.properties.map(property => {
          if (property.type !== 'Property') throw new Error(property.type)
          const { key, value, computed } = property
          return [
            key.type === 'Identifier' && !computed ? key.name : evaluated(key as Node),
            evaluated(value),
          ]
        }),
      )
    default:
      throw new Error(`not a literal: ${node.type}`)
  }
}

const SYSTEM = jsImport('imported', './machines.ts')

describe('a text of a recording or report is never code', () => {
  test('in a test that sends its events', () => {
    assertProperty(
      fc.property(hostileRun, hostileText, ({ trace, sent }, title) => {
        const source = vitestTest(trace, { system: SYSTEM, title })
        expect(foreignParts(source, './machines.ts')).toEqual([])
        expect(argumentsOf(source, 'send')).toEqual(sent)
      }),
      { numRuns: RUNS },
    )
  })

  test('in a test that plays the recording', () => {
    const before = Reflect.ownKeys(Object.prototype)
    assertProperty(
      fc.property(hostileRun, hostileText, ({ trace }, recording) => {
        const source = recordedTest(trace, { system: ownSystem(trace.header.system), recording })
        expect(foreignParts(source, '')).toEqual([])
      }),
      { numRuns: RUNS },
    )
    expect(Reflect.ownKeys(Object.prototype)).toEqual(before)
  })

  test('in a test of a report', () => {
    assertProperty(
      fc.property(hostileReport, hostileRun, hostileText, (report, { trace }, text) => {
        const pattern = { src: text, entered: text, context: { reason: text } }
        const failure = report.cause === 'invariant' ? {} : { pattern }
        const system = { ...SYSTEM, variable: SYSTEM.name }
        const source = testOf(report, trace, { failure, recording: text, system })
        expect(foreignParts(source, './machines.ts')).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })

  test('in the code of single steps, also of those that code cannot express', () => {
    assertProperty(
      fc.property(hostileRun, fc.option(hostileText), ({ trace }, actor) => {
        const stimuli = trace.stimuli.map(one =>
          actor !== null && one.seq === 0
            ? { ...one, event: { type: 'x', ref: new ActorReference(actor) } }
            : one,
        )
        const seqs = stimuli.map(({ seq }) => seq)
        const code = stepsAsCode({ ...trace, stimuli } as ReplayableTrace, seqs)
        const source = `import { test } from 'vitest'\ntest('', () => {\n${code}})\n`
        expect(foreignParts(source, '')).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })

  test('in the name of a system, an export or a module', () => {
    assertProperty(
      fc.property(hostileText, hostileText, (system, path) => {
        for (const { import: statement, name } of [systemImport(system, path), jsImport(system, path)]) {
          const { program, errors } = parseSync('a.ts', `${statement}\nuse(${name})\n`)
          expect(errors).toEqual([])
          expect(program.body.map(({ type }) => type)).toEqual(['ImportDeclaration', 'ExpressionStatement'])
        }
      }),
      { numRuns: RUNS },
    )
  })

  test('a string has the same value, and a comment stays a comment', () => {
    assertProperty(
      fc.property(fc.oneof(hostileText, fc.string({ unit: 'binary' })), text => {
        const source = `${jsComment(text)}\nuse(${jsString(text)}, ${literal({ [text]: text })})\n`
        const { program, errors, comments } = parseSync('a.js', source)
        expect(errors).toEqual([])
        expect(comments).toHaveLength(1)
        const [call] = program.body.map(each => each.type === 'ExpressionStatement' && each.expression)
        expect(
          call && call.type === 'CallExpression' && call.arguments.map(each => evaluated(each as Node)),
        ).toEqual([text, Object.fromEntries([[text, text]])])
      }),
      { numRuns: RUNS },
    )
  })
})

test('a path with a control character is refused when a trace is read', async () => {
  const header = {
    line: 'header',
    format: 1,
    system: 'a',
    appVersion: '',
    xstateVersion: '',
    startedAt: '',
    machines: {},
    redaction: { policy: '' },
  }
  for (const separator of [
    '\n',
    '\r',
    '\u2028',
    '\u2029',
    '\u0085',
    '\u0000',
    '\u001b',
    '\u007f',
    '\u009b',
  ]) {
    const actor = { line: 'actor', index: 0, path: `a${separator}b`, kind: 'machine', src: 'a' }
    const read = await readTrace(
      new TextEncoder().encode([header, actor].map(line => JSON.stringify(line)).join('\n')),
    )
    expect(JSON.stringify(read)).toContain('its path contains a control character or a line separator')
    expect(pathSegment(`a${separator}b`)).not.toContain(separator)
  }
})
