// What tests and test files start, and what ends it. Files that share a worker also share the modules of the
// harness: a hook that such a module registers runs only in the file that loads it first, and one that is
// registered within a hook or a test never runs. `each-file.ts` calls these in every file.

type Ending = () => unknown

/** Shared by all copies of this module in a process. */
const endings = ((globalThis as { chartroomEndings?: Record<'test' | 'file', Ending[]> }).chartroomEndings ??=
  {
    test: [],
    file: [],
  })

/** Calls back when the current test is done, after its own hooks; the last registered first. */
export function atTestEnd(ending: Ending): void {
  endings.test.push(ending)
}

/** Calls back when the current test file is done; the last registered first. */
export function atFileEnd(ending: Ending): void {
  endings.file.push(ending)
}

/** @throws AggregateError with the failures, after all have been called, or the only one */
export async function runEndings(of: 'test' | 'file'): Promise<void> {
  const failures: unknown[] = []
  for (const ending of endings[of].splice(0).reverse()) {
    try {
      await ending()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length === 1) throw failures[0]
  if (failures.length > 1) throw new AggregateError(failures, `What a ${of} started did not end.`)
}
