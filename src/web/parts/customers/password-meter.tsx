import { PasswordStrength } from '../../islands/customers/password-strength.tsx'
import { Island } from '../../islands/island.tsx'
import { useShop } from '../shared/shop-context.tsx'

/** The place of the strength of a new password, below its field. */
export function PasswordMeter({ field }: { field: string }) {
  const { t } = useShop()
  const props = {
    field,
    words: [t('Very weak'), t('Weak'), t('Weak'), t('Good'), t('Strong')],
    tooWeak: t('Please choose a password that is harder to guess.'),
    hint: t('Make it longer: several words in a row are easy to remember and hard to guess.'),
  }
  return <Island name="password-strength" when="interaction" component={PasswordStrength} props={props} />
}
