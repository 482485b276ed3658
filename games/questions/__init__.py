"""Decisions of finished games as questions to others: what would you do?"""
