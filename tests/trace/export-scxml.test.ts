// Machines as SCXML, checked against a schema: W3C's own if SCXML_SCHEMA names its folder, otherwise one of
// the subset we write.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { validateXML } from 'xmllint-wasm'
import { expect, test } from 'vitest'
import { ExportError, exportTrace } from '../../src/trace/index.ts'
import { oddTrace, stormyTrace } from '../harness/exported-runs.ts'

const own = join(import.meta.dirname, '../harness/schemas')
const folder = process.env['SCXML_SCHEMA'] ?? own
const file = (fileName: string) => ({ fileName, contents: readFileSync(join(folder, fileName), 'utf8') })

async function problems(documents: Readonly<Record<string, string>>): Promise<string[]> {
  const xml = Object.entries(documents).map(([fileName, contents]) => ({ fileName, contents }))
  const preload = existsSync(join(folder, 'xml.xsd')) ? [file('xml.xsd')] : []
  const { errors } = await validateXML({ xml, schema: file('scxml.xsd'), preload })
  return [...errors.map(({ message }) => message), ...Object.values(documents).flatMap(dangling)]
}

/** Names of missing states and timers: the checker does not look for these. */
function dangling(document: string): string[] {
  const ids = new Set([...document.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  const named = [...document.matchAll(/ (?:target|initial|sendid)="([^"]+)"/g)]
  return named.flatMap(([, names = '']) => names.split(' ')).filter(name => !ids.has(name))
}

test('every machine of the client, and one with odd names, is valid by the schema', async () => {
  const documents: Record<string, string> = {}
  for (const trace of [stormyTrace(), await oddTrace()])
    for (const [machine, { hash }] of Object.entries(trace.header.machines))
      documents[`${hash}.scxml`] = exportTrace(trace, 'scxml', { machine })
  expect(Object.keys(documents)).toHaveLength(14)
  expect(await problems(documents)).toEqual([])
})

test('the schema rejects invalid files', async () => {
  const document = exportTrace(stormyTrace(), 'scxml', { machine: 'attempt' })
  const wrong = {
    'twice.scxml': document.replaceAll(/<invoke (.*) id="[^"]+"/g, '<invoke $1 id="now"'),
    'nowhere.scxml': document.replace('target="', 'target="harbour '),
    'event.scxml': document.replace(/event="[^"]+"/, 'event="a,b"'),
    'element.scxml': document.replace('<onentry>', '<onentry><state/>'),
  }
  for (const [name, text] of Object.entries(wrong))
    expect([name, await problems({ [name]: text })]).not.toEqual([name, []])
})

test('a machine is written as drawn; what SCXML cannot express is in comments', async () => {
  expect(
    exportTrace(await oddTrace(), 'scxml')
      .split('\n')
      .slice(1),
  ).toEqual(expected)
})

test('a missing machine is named, with the existing ones', async () => {
  const trace = await oddTrace()
  expect(() => exportTrace(trace, 'scxml', { machine: 'even' })).toThrow(
    new ExportError('there is no machine "even" in the trace; it has odd & <machine>'),
  )
})

const expected = [
  '<!-- Machine odd & <machine>, structure cacda1e80bb35a8a. -->',
  '<!-- Guards, actions and delays are names of functions that the data model provides: traces contain no code. -->',
  '<!-- Built-in XState actions (such as assign, sendTo, spawnChild) are calls of that name without arguments. -->',
  '<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript" name="odd____machine_" initial="_root">',
  '  <!-- Ends in hyphens - -  -->',
  '  <parallel id="_root">',
  '    <state id="first__region" initial="first__region.a">',
  '      <!-- Tags: #1, end. -->',
  '      <state id="first__region.a">',
  '        <onentry>',
  '          <send event="after.10" id="after.10" delay="10ms"/>',
  '          <send event="after.a_while" id="after.a_while" delayexpr="named(&quot;a while&quot;)"/>',
  '        </onentry>',
  '        <onexit>',
  '          <cancel sendid="after.10"/>',
  '          <cancel sendid="after.a_while"/>',
  '        </onexit>',
  '        <transition event="go.*" target="first__region.end"/>',
  '        <transition event="*">',
  '          <script>assign();</script>',
  '        </transition>',
  '        <transition event="done.invoke._0_odd____machine__first__region_a" target="first__region.b_b"/>',
  '        <transition event="error._0_odd____machine__first__region_a" target="first__region.end"/>',
  '        <transition event="after.10" target="first__region.end"/>',
  String.raw`        <transition event="after.a_while" cond="named(&quot;is \&quot;ok\&quot;?&quot;)" target="first__region.b_b"/>`,
  '        <!-- fetch <it> is app code: a promise, a callback or an observable. -->',
  '        <invoke type="x-xstate:fetch%20%3Cit%3E" id="_0_odd____machine__first__region_a"/>',
  '      </state>',
  '      <state id="first__region.b_b">',
  '        <transition event="back" target="first__region.memory"/>',
  '        <transition event="new_line_" target="first__region.end"/>',
  '        <!-- fetch <it> is app code: a promise, a callback or an observable. -->',
  '        <invoke type="x-xstate:fetch%20%3Cit%3E" id="_0_odd____machine__first__region_b_b"/>',
  '      </state>',
  '      <history id="first__region.memory" type="deep">',
  '        <transition target="first__region.a"/>',
  '      </history>',
  '      <final id="first__region.end"/>',
  '    </state>',
  '    <state id="_2nd" initial="_2nd.x">',
  '      <state id="_2nd.x">',
  '        <transition cond="isOdd()" target="_2nd.y"/>',
  '      </state>',
  '      <state id="_2nd.y"/>',
  '    </state>',
  '  </parallel>',
  '</scxml>',
  '',
]
