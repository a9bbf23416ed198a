import { Ban, Check } from 'lucide-react';
import type { ReactNode } from 'react';
import type { MessageKey } from '../../i18n/catalogue.ts';
import { useI18n } from '../../i18n/i18n.tsx';

const lines: readonly (readonly [boolean, MessageKey, MessageKey])[] = [
  [true, 'connect.leave.reads', 'connect.leave.reads.why'],
  [true, 'connect.leave.reviews', 'connect.leave.reviews.why'],
  [false, 'connect.leave.never', 'connect.leave.never.why'],
  [false, 'connect.leave.exec', 'connect.leave.never.why'],
  [false, 'connect.leave.secrets', 'connect.leave.secrets.why'],
  [false, 'connect.leave.telemetry', 'connect.leave.telemetry.why'],
];

/** What goes to the cluster, what never does, what stays on this computer. */
export function WhatLeaves(): ReactNode {
  const { t } = useI18n();
  return (
    <>
      <h2 className="title">{t('connect.leave.title')}</h2>
      <ul className="leaveList">
        {lines.map(([leaves, title, why]) => (
          <li key={title}>
            {leaves ? (
              <Check size={14} strokeWidth={1.75} className="inkOk" aria-hidden="true" />
            ) : (
              <Ban size={14} strokeWidth={1.75} className="tertiary" aria-hidden="true" />
            )}
            <span>
              <span className="leaveTitle">{t(title)}</span>
              <span className="small tertiary">{t(why)}</span>
            </span>
          </li>
        ))}
      </ul>
      <h2 className="title leaveSecond">{t('connect.kept.title')}</h2>
      <p className="small secondary">{t('connect.kept.session')}</p>
    </>
  );
}
