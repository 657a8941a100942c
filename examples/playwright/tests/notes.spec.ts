// The notes of a user, in a browser.
import { expect, test } from '@chartroom/devtools/playwright'

test('a user signs in, sees the own notes, and adds one', async ({ page }) => {
  await page.goto('/')
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Password').fill('chartroom-demo')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('listitem')).toHaveText(['Buy rope'])

  await page.getByLabel('New note').fill('Splice the rope')
  await page.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByRole('listitem')).toHaveText(['Buy rope', 'Splice the rope'])

  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByLabel('Password')).toBeVisible()
})

test('a wrong password is refused', async ({ page }) => {
  await page.goto('/')
  await page.getByLabel('Email').fill('ada@example.com')
  await page.getByLabel('Password').fill('wrong')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toHaveText(/password/)
})
