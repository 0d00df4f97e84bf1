/* SPDX-License-Identifier: GPL-2.0 */
int first_twin(void);
int second_twin(void);
