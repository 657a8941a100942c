// States of functions and topics: requests with their responses, and channels with their messages.
import { DIALOG, enter, escape, MAIN, MENU, press } from './page.ts'
import type { Act } from './state.ts'

export const functions: Act = (page, product) => {
  const answer = page.getByRole('region', { name: 'Response' })
  const before = page.getByRole('region', { name: 'History' })
  const name = page.getByRole('form', { name: 'Request' }).getByLabel('Function', { exact: true })
  return [
    {
      name: 'idle',
      reach: async () => {
        await enter(page, product, product.skipper, '/functions')
        await name.waitFor()
      },
    },
    {
      name: 'examples',
      inTests: 'pass',
      part: MENU,
      reach: async () => {
        await press(page, 'Examples')
        await page.getByRole('menu').waitFor()
      },
    },
    {
      name: 'stream',
      part: MAIN,
      reach: async () => {
        await page.getByRole('menuitem', { name: /^Sightings as events/ }).click()
        await press(page, /^Call$/)
        await answer.getByText('"n":3').waitFor()
      },
    },
    {
      name: 'response',
      inTests: 'skip',
      part: '[aria-label=Response]',
      reach: async () => {
        await name.fill('tide')
        await press(page, /^Call$/)
        await answer.getByText('"height"').first().waitFor()
      },
    },
    {
      name: 'missing',
      inTests: 'skip',
      part: '[aria-label=Response]',
      reach: async () => {
        await name.fill('nope')
        await press(page, /^Call$/)
        await answer.getByText(/404/).first().waitFor()
      },
    },
    {
      name: 'earlier-response',
      part: DIALOG,
      reach: async () => {
        await before
          .getByRole('button', { name: /^Show response of/ })
          .first()
          .click()
        await page.getByRole('dialog', { name: /^Response of/ }).waitFor()
      },
      leave: escape(page),
    },
    {
      name: 'history-filtered',
      sizes: ['wide'],
      reach: async () => {
        await before.getByRole('textbox', { name: 'Filter history' }).fill('watch')
        await before.getByRole('listitem').nth(1).waitFor({ state: 'detached' })
      },
    },
  ]
}

export const realtime: Act = (page, product) => {
  const dialog = page.getByRole('dialog')
  return [
    {
      name: 'no-topics',
      reach: async () => {
        await enter(page, product, product.skipper, '/realtime')
        await page.getByText('No topics joined').waitFor()
      },
    },
    {
      name: 'join-error',
      inTests: 'skip',
      part: DIALOG,
      reach: async () => {
        await press(page, 'Join a topic')
        await dialog.getByRole('button', { name: 'Join', exact: true }).click()
        await dialog.getByText('Enter a topic name.').waitFor()
      },
      leave: escape(page),
    },
    {
      name: 'topic',
      reach: async () => {
        await press(page, 'Join bridge')
        await page.getByText('joined', { exact: true }).first().waitFor()
        const form = page.getByRole('form', { name: 'Write a message' })
        await form.getByRole('textbox', { name: 'Message' }).fill('What water have you at the bar?')
        await form.getByRole('button', { name: 'Send' }).click()
        await page.getByRole('log').getByText('What water have you at the bar?').waitFor()
      },
    },
    {
      name: 'join-form',
      part: DIALOG,
      reach: async () => {
        await press(page, 'Join a topic')
        await dialog.getByRole('textbox', { name: 'Topic', exact: true }).fill('log')
        await dialog.getByRole('button', { name: 'Listen to a table' }).click()
        await dialog.getByRole('combobox', { name: 'Table' }).fill('log_entries')
        await dialog.getByRole('combobox', { name: 'Table' }).press('Tab')
      },
    },
    {
      name: 'row-change',
      part: MAIN,
      reach: async () => {
        await dialog.getByRole('button', { name: 'Join', exact: true }).click()
        await page.getByText('changes live', { exact: true }).waitFor()
        const request = await product.requestsAs(product.skipper)
        await request('POST', '/rest/v1/log_entries', { wind: 'SW 9', note: 'Heard' })
        await page
          .getByRole('option', { name: /INSERT/ })
          .first()
          .click()
        await page.getByLabel('Payload', { exact: true }).waitFor()
      },
    },
  ]
}
