import { useShop } from '../parts/shared/shop-context.tsx'
import type { AccountMailContent } from './mail-content.ts'
import { Button, Link } from './mail-parts.tsx'
import { useMedium } from './medium.tsx'

/** The link, as a button and as text to copy where buttons do not work. */
export function AccountMail({ content: { reason, link } }: { content: AccountMailContent }) {
  const { t } = useShop()
  const actions: Record<AccountMailContent['reason'], string> = {
    welcome: t('Confirm your email address'),
    'confirm-email': t('Confirm your email address'),
    'choose-password': t('Choose a password'),
    'reset-password': t('Choose a password'),
    'known-address': t('Choose a password'),
    'email-changed': t('Go to your account'),
    'account-closed': t('Go to the shop'),
  }
  const action = actions[reason]
  const medium = useMedium()
  return (
    <>
      <Button text={action} url={link} />
      {medium === 'html' && <Link text={action} url={link} shown />}
    </>
  )
}
