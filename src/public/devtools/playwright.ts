// The public entry `@chartroom/devtools/playwright`: a `test` that keeps the recordings of each test's pages, and says what a
// failed run did differently.
export {
  type ChartroomFixtures,
  expect,
  type KeptRunOptions,
  test,
} from '../../testing/playwright/fixture.ts'
