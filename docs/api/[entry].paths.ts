// One page of the API reference for each entry of the package.
import { defineRoutes } from 'vitepress'
import { reference } from '../.vitepress/reference.ts'

export default defineRoutes({
  watch: ['../../src/**/*.{ts,tsx}'],
  paths: () => reference.map(({ slug, content }) => ({ params: { entry: slug }, content })),
})
