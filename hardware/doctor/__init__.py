"""What is right and wrong with this machine and room, one finding a check, each with its cure."""

from hardware.doctor.findings import Finding, Verdict, exit_code
from hardware.doctor.machine import Machine, check_machine
from hardware.doctor.wiring import check_wiring

__all__ = ["Finding", "Machine", "Verdict", "check_machine", "check_wiring", "exit_code"]
