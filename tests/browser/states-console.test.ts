// States of the console, one after the other: axe finds nothing, nothing is cut off or covered.
import { withHarbour } from '../harness/browser.ts'
import { isDeep } from '../harness/volume.ts'
import { expectNoFindings } from './states/findings.ts'
import { AREAS } from './states/index.ts'

const test = withHarbour()

test.for(Object.entries(AREAS.console))(
  'no findings in the states of %s',
  async ([, act], { harbour, workbench }) => {
    await expectNoFindings(act, harbour, workbench, isDeep)
  },
)
