// What a test file starts for all its tests. A hook that is registered within a hook or a test would never run.

type Ending = () => unknown

/** Shared by all copies of this module in a process. */
const endings = ((globalThis as { chartroomEndings?: Ending[] }).chartroomEndings ??= [])

/** Calls back when the current test file is done; the last registered first. */
export function atFileEnd(ending: Ending): void {
  endings.push(ending)
}

/** @throws AggregateError with the failures, after all have been called */
export async function runEndings(): Promise<void> {
  const failures: unknown[] = []
  for (const ending of endings.splice(0).reverse()) {
    try {
      await ending()
    } catch (error) {
      failures.push(error)
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, 'What a test file started did not end.')
}
