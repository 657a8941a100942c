// One page of the API reference for each entry of the package.
import { reference } from '../../evidence/site/.vitepress/reference.ts'

export default {
  watch: ['../../src/**/*.{ts,tsx}'],
  paths: () => reference.map(({ slug, content }) => ({ params: { entry: slug }, content })),
}
