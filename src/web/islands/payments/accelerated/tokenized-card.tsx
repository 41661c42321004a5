import type { Ref } from 'react'
import { fastlaneHooks } from '#contract/payments/constants.ts'

const card = fastlaneHooks.tokenizedCardClass

export type TokenizedCardProps = {
  texts: Readonly<Record<'chosenCard' | 'spent' | 'changeCard' | 'changeAddress' | 'otherCard', string>>
  label?: string
  icon?: string | undefined
  /** The card was declined or used: other cards can be entered below it. */
  spent?: boolean
  /** The provider has a shipping address. */
  hasAddress?: boolean
  ref?: Ref<HTMLDivElement>
  onChangeCard?: () => void
  onChangeAddress?: () => void
  onCancel?: () => void
}

/** A card that the provider stores, in its method's box. */
export function TokenizedCard({ texts, label, icon, spent, hasAddress, ref, ...presses }: TokenizedCardProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would add a border, and this groups no fields.
    <div
      ref={ref}
      className={spent ? `${card} is-spent` : card}
      role="group"
      aria-label={texts.chosenCard}
      tabIndex={-1}
    >
      <img className={`${card}__icon`} alt="" width={48} height={32} src={icon} hidden={!icon} />
      <span className={`${card}__label`}>{label}</span>
      <p className={`${card}__spent`} role="status">
        {spent && texts.spent}
      </p>
      <span className={`${card}__ways`}>
        <button type="button" className={fastlaneHooks.changeClass} onClick={presses.onChangeCard}>
          {texts.changeCard}
        </button>
        <button
          type="button"
          className={fastlaneHooks.changeAddressClass}
          hidden={!hasAddress}
          onClick={presses.onChangeAddress}
        >
          {texts.changeAddress}
        </button>
        <button type="button" className={fastlaneHooks.cancelClass} onClick={presses.onCancel}>
          {texts.otherCard}
        </button>
      </span>
    </div>
  )
}
