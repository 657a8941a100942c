// The public entry `@chartroom/devtools/playwright`: a `test` that keeps the recordings of each test's pages.
// Its reporter says what a failed run did differently.
export {
  type ChartroomFixtures,
  expect,
  type KeptRunOptions,
  test,
} from '../../testing/playwright/fixture.ts'
